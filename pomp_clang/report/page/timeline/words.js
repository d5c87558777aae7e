// @ts-check
/* The texts of the timeline. */
const ACTIVITY_WORDS = {
  compute: "", fork: "starting the team of ", join: "ending the team of ", create: "creating ", flush: "",
  explicit: "", atomic: "", implicit: "barrier at the end of ", critical: "entering or leaving ", lock: "",
  trying: "failed attempts at ", ordered: "wait for the turn in ", taskwait: "wait for tasks in ",
  map: "mapping by ", kernel: "kernel of ", to_device: "to the device by ", from_device: "from the device by ",
  allocate: "allocation by ", deallocate: "deletion by ",
};

const DEVICE_WORDS = new Set(["kernel", "to_device", "from_device", "allocate", "deallocate"]);
/* Activities of devices. */

/* Activities inside MPI calls. */
const MPI_WORDS = {
  mpi: "MPI", point_to_point: "MPI messages", collective: "MPI collective", one_sided: "MPI one-sided",
  file_individual: "MPI file", file_collective: "MPI collective file", mpi_barrier: "MPI barrier",
  init_exit: "MPI start or end", communicators: "MPI communicators", windows: "MPI windows",
};

/** @type {[string, number][]} */
const UNITS = [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]];

function lasting(seconds) {
  if (!seconds) return "0 s";
  const [unit, of] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS[3];
  return `${+(seconds / of).toPrecision(4)} ${unit}`;
}

/* Formats a moment with the digits that distinguish it from moments `apart` seconds away. */
function moment(seconds, apart) {
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(Math.max(apart, 1e-9)))));
  return `${seconds.toFixed(digits)} s`;
}

/* Formatter of moments `apart` seconds apart, up to the latest, in one unit. */
function alike(apart, latest) {
  const [unit, of] = UNITS.find(([, each]) => latest >= each) ?? UNITS[3];
  const digits = Math.max(0, Math.ceil(-Math.log10(apart / of) - 1e-9));
  return (seconds) => `${(seconds / of).toFixed(digits)} ${unit}`;
}

function number(count) {
  return count.toLocaleString("en");
}

class TimelineWords {
  constructor(data) {
    this.data = data;
    const machines = new Set(data.threads.map((each) => `${each.machine} ${each.node}`));
    const processes = new Set(data.threads.map((each) => each.process));
    this.threads = data.threads.map((each) => [
      machines.size > 1 ? each.node : "",
      each.device !== undefined ? `${processes.size > 1 ? `rank ${each.process} ` : ""}${each.device}`
        : processes.size > 1 ? `${each.process}.${each.thread}` : `thread ${each.thread}`,
    ].filter(Boolean).join(" "));
  }

  row({ thread, process }) {
    const { device, lane } = this.data.threads[thread];
    if (device !== undefined) return lane ? `lane ${lane + 1}` : device;
    if (!process || process.all.length < 2) return this.threads[thread];
    return `${process.isOpen ? "▾" : "▸"} rank ${process.rank}`;
  }

  place(path) {
    const { file, line } = this.data.paths[path];
    return file ? `${file.split("/").pop()}:${line}` : "";
  }

  /* The construct as the program spells it, or the function's name. */
  construct(path) {
    const { kind, name, task } = this.data.paths[path];
    if (kind === "function" || kind === "program") return name || kind;
    if (kind === "parallel" || !name) return task ? `${kind} (running)` : kind;
    return `${kind} ${name}`;
  }

  chain(path) {
    const names = [];
    for (let each = path; each > 0; each = this.data.paths[each].above) names.unshift(this.construct(each));
    return names.join(" › ");
  }

  state(state) {
    const path = this.data.state.path[state];
    return [this.label(state) || "idle", this.place(path)].filter(Boolean).join(", ");
  }

  /* Short enough to stand in its stretch. */
  label(state) {
    const path = this.data.state.path[state];
    const activity = this.data.activities[this.data.state.activity[state]];
    if (activity === "outside") return "";
    if (MPI_WORDS[activity]) return path ? this.construct(path) : MPI_WORDS[activity];
    return path || DEVICE_WORDS.has(activity) ? ACTIVITY_WORDS[activity] + this.construct(path) : "outside regions";
  }

  /* The first messages that a call sends and receives. */
  messages(several) {
    const { bytes, from, to, tag } = this.data.messages;
    const FEW = 4;
    const said = several.slice(0, FEW).map(({ row, isSent }) =>
      `${isSent ? `to ${this.threads[to[row]]}` : `from ${this.threads[from[row]]}`} ${number(bytes[row])} bytes, tag ${tag[row]}`);
    if (several.length > FEW) said.push(`${several.length - FEW} more`);
    return said.join("; ");
  }

  /* The bytes of a device's interval, and the variable. */
  moved(thread, begin) {
    const lane = this.data.moved.get(thread);
    const row = lane ? after(lane.begin, begin) - 1 : -1;
    if (row < 0 || lane.begin[row] !== begin) return "";
    const name = lane.names[lane.name[row]];
    return `${number(lane.bytes[row])} bytes${name ? ` of ${name}` : ""}`;
  }

  stretch({ thread, begin, length, state }) {
    const took = length / this.data.second;
    return {
      title: [this.state(state), this.moved(thread, begin)].filter(Boolean).join(", "),
      chain: this.chain(this.data.state.path[state]),
      when: `${this.threads[thread]}, from ${moment(begin / this.data.second, took / 100)}, ${lasting(took)}`,
    };
  }

  /* The mean over some threads; the first line names the most frequent state. */
  bin({ threads, process }, level, bin) {
    const at = threads[0] * level.bins + bin;
    const { groups, second, work } = this.data;
    const sum = (group) => threads.reduce((ticks, thread) => ticks + level.ticks[group][thread * level.bins + bin], 0);
    const share = (group) => sum(group) / level.width / threads.length;
    const parts = groups.map((name, group) => [GROUP_WORDS[name], share(group)])
      .filter(([, part]) => part >= 0.005)
      .sort((one, other) => other[1] - one[1]);
    const largest = groups.reduce((most, _, group) => (share(group) > share(most) ? group : most), 0);
    const state = level.most[largest < work ? 0 : 1][at] - 1;
    const mostly = state < 0 ? "nothing" : this.state(state);
    const from = (bin * level.width) / second;
    return {
      title: threads.length > 1 ? `rank ${process.rank}: mostly ${GROUP_WORDS[groups[largest]]}` : `mostly ${mostly}`,
      chain: parts.map(([name, part]) => `${name} ${(100 * part).toFixed(0)} %`).join(", "),
      when: `${threads.length > 1 ? `${threads.length} threads` : this.threads[threads[0]]}, ${lasting(level.width / second)} from ${moment(from, level.width / second / 10)}`,
    };
  }
}

const GROUP_WORDS = {
  work: "computing", alone: "outside teams", tasks: "tasks", kernel: "kernels",
  transfer: "transfers", memory: "allocations on devices", barrier: "waiting at barriers or for tasks",
  locks: "locks, critical sections, ordered, atomics", mpi: "MPI", manage: "management", idle: "idle threads",
};
