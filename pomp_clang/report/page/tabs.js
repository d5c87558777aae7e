// @ts-check
/* The views of the page as tabs; a link into one of them opens it. */
pomp.Tabs = class {
  constructor(bar) {
    this.links = [...bar.querySelectorAll("a")];
    this.panels = this.links.map((each) => document.getElementById(each.hash.slice(1)));
    bar.setAttribute("role", "tablist");
    this.links.forEach((link, place) => {
      link.setAttribute("role", "tab");
      link.setAttribute("aria-controls", this.panels[place].id);
      this.panels[place].setAttribute("role", "tabpanel");
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.show(place);
      });
    });
    bar.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => this.follow());
    document.addEventListener("click", (event) => {
      /** @type {HTMLAnchorElement} */
      const link = /** @type {Element} */ (event.target).closest('a[href^="#"]');
      if (link && link.hash === location.hash) this.follow();
    });
    const first = this.panels.findIndex((each) => each.id === bar.dataset.first);
    this.show(Math.max(0, first));
    this.follow();
  }

  show(place) {
    this.links.forEach((link, each) => {
      link.setAttribute("aria-selected", each === place);
      link.tabIndex = each === place ? 0 : -1;
      this.panels[each].hidden = each !== place;
    });
    const detail = { view: this.panels[place].id };
    document.dispatchEvent(new CustomEvent("pomp:show", { detail }));
  }

  follow() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const place = this.panels.findIndex((each) => target && each.contains(target));
    if (place >= 0) this.show(place);
  }

  key(event) {
    const last = this.links.length - 1;
    const at = this.links.indexOf(document.activeElement);
    const places = {
      ArrowRight: at < last ? at + 1 : 0,
      ArrowLeft: at > 0 ? at - 1 : last,
      Home: 0,
      End: last,
    };
    if (!(event.key in places)) return;
    event.preventDefault();
    this.show(places[event.key]);
    this.links[places[event.key]].focus();
  }
};

new pomp.Tabs(document.getElementById("views"));
delete document.documentElement.dataset.loading;
