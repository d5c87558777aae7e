// @ts-check
/* The rows of the picture: the threads, then the devices; of several processes each of these with
 * its threads and devices below it, which may be folded. */
const UNFOLDED = 24;
/* With more rows than this, processes are folded at first. */
const BANDS = 100;
/* Bands of the overview: each is a process, or several. */

class TimelineRows {
  constructor(data) {
    const processes = new Map();
    data.threads.forEach(({ process }, thread) => {
      if (!processes.has(process)) processes.set(process, []);
      processes.get(process).push(thread);
    });
    this.threads = data.threads.length;
    this.isJob = processes.size > 1;
    const isFew = processes.size + this.threads <= UNFOLDED;
    this.isDevice = data.threads.map(({ device }) => device !== undefined);
    const own = (all) => all.filter((thread) => !this.isDevice[thread]);
    this.processes = [...processes].map(([rank, all]) => ({ rank, threads: own(all), all, isOpen: isFew, severity: 0, row: -1 }));
    this.order = "rank";
    this.lay();
  }

  /* Each row has its threads; `thread` is the first of them, `process` is the process of a heading. */
  lay() {
    this.shown = this.#chosen();
    this.list = [];
    this.rowOf = new Int32Array(this.threads).fill(-1);
    for (const process of this.isJob ? this.shown : []) {
      const row = this.#add(process.threads, process);
      for (const thread of process.all) this.rowOf[thread] = row;
      if (process.isOpen && process.all.length > 1) process.all.forEach((thread) => this.#add([thread], null));
      process.row = row;
    }
    if (!this.isJob) for (let thread = 0; thread < this.threads; thread += 1) this.#add([thread], null);
  }

  #add(threads, process) {
    for (const thread of threads) this.rowOf[thread] = this.list.length;
    return this.list.push({ threads, thread: threads[0], process }) - 1;
  }

  #chosen() {
    if (this.order === "rank") return this.processes;
    const sorted = [...this.processes].sort((one, other) => other.severity - one.severity);
    const most = this.order === "few" ? Math.max(1, Math.min(16, sorted.filter((each) => each.severity > 0).length)) : sorted.length;
    return sorted.slice(0, most);
  }

  /* The marks decide which processes are the worst. */
  weigh(marks) {
    const severity = new Map(this.processes.map((each) => [each, 0]));
    const of = new Array(this.threads);
    this.processes.forEach((each) => each.all.forEach((thread) => { of[thread] = each; }));
    for (const row of marks.rows) {
      const { thread, severity: amount } = marks.instance(row);
      severity.set(of[thread], severity.get(of[thread]) + amount);
    }
    severity.forEach((amount, each) => { each.severity = amount; });
    if (this.order !== "rank") this.lay();
  }

  sort(order) {
    this.order = order;
    this.lay();
  }

  fold(process) {
    process.isOpen = !process.isOpen;
    this.lay();
  }

  foldAll() {
    const isOpen = !this.processes.some((each) => each.isOpen);
    this.processes.forEach((each) => { each.isOpen = isOpen; });
    this.lay();
  }

  /* The process that a row is of, or is in. */
  processOf(row) {
    const { thread } = this.list[row];
    return this.shown.find((each) => each.all.includes(thread));
  }

  /* From top to bottom: the processes of each band. */
  bands() {
    if (!this.isJob) return [{ threads: this.processes[0].threads }];
    const many = Math.min(BANDS, this.shown.length);
    return Array.from({ length: many }, (_, band) => {
      const here = this.shown.slice(Math.floor((band * this.shown.length) / many), Math.floor(((band + 1) * this.shown.length) / many));
      return { threads: here.flatMap((each) => each.threads), row: here[0].row };
    });
  }
}
