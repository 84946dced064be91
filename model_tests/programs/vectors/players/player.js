// A player of vectors for the primitives beside it: `loopspec vectors --player "node player.js"`; see FORMAT.md.
"use strict";

const lib = require("./primitives.js");
const { errors, loop, Future, Task, TURN } = lib;

const names = [
  ..."Queue LifoQueue Lock Semaphore BoundedSemaphore sleep create_task current_task name= immediate=".split(" "),
  ..."BaseException CancelledError .create_task .create_future .call_soon .time .cancel .cancelling".split(" "),
  ...".uncancel .get_name .set_name .set_result .set_exception .result .exception .done".split(" "),
  ...".put .put_nowait .get .get_nowait .join .task_done .shutdown .qsize .full .empty".split(" "),
  ...".acquire .release .locked .cancelled .add_done_callback .remove_done_callback".split(" "),
];
const looks = ["qsize", "full", "locked", "is_set", "expired", "n_waiting", "broken"];
const generator = Object.getPrototypeOf(function* () {}).prototype;

class Seconds {
  constructor(value) {
    this.value = value;
  }
}

class Player {
  constructor(program) {
    this.program = program;
    this.lines = [];
    Object.assign(loop, { soon: [], timers: [], now: 0, current: null });
    this.things = new Map();
    for (const name of Object.keys(program.callbacks)) {
      this.things.set(name, (...args) => this.called(name, args));
    }
    this.things.set("loop", {
      create_task: lib.create_task,
      create_future: () => new Future(),
      call_soon: (call, ...args) => ({ number: loop.soon.push(() => call(...args)) }),
      time: () => new Seconds(loop.now / 1000),
    });
  }

  async play() {
    const hidden = this.things.size;
    this.things.set("main", new Task(this.body("main")));
    await this.rest();
    for (const [name, thing] of [...this.things].slice(hidden)) {
      if (this.state(thing)) this.note("end", name, this.state(thing));
    }
    return this.lines;
  }

  async rest() {
    for (let turns = 0; ; turns += 1) {
      await new Promise(setImmediate); // all promises that are settled have been followed now
      if (turns > 2000) return this.note("end", "livelock", "");
      if (!loop.soon.length && loop.timers.length) {
        const when = Math.min(...loop.timers.map((timer) => timer.when));
        loop.now = when;
        loop.soon = loop.timers.filter((timer) => timer.when === when).map((timer) => timer.call);
        loop.timers = loop.timers.filter((timer) => timer.when !== when);
      }
      if (!loop.soon.length) return;
      for (const call of loop.soon.splice(0)) call();
    }
  }

  note(actor, what, outcome) {
    this.lines.push([Math.round(loop.now), actor, what, outcome]);
  }

  *body(name) {
    const got = yield* this.block(name, name === "main" ? this.program.main : this.program.bodies[name]);
    return got ? got[0] : null;
  }

  *block(actor, statements, error) {
    for (const [kind, ...rest] of statements) {
      const got = yield* this.run(actor, error, kind, ...rest);
      if (got) return got;
    }
  }

  *run(actor, error, kind, first, ...rest) {
    if (["await", "with", "async for"].includes(kind)) this.note(actor, "begins", kind);
    if (kind === "do") this.noted(actor, text(first), () => this.value(first));
    else if (kind === "await") yield* this.awaited(actor, `await ${text(first)}`, () => this.value(first));
    else if (kind === "let") this.things.set(first, this.value(rest[0]));
    else if (kind === "turn") for (let n = first ?? 1; n > 0; n -= 1) yield TURN;
    else if (kind === "see") this.note(actor, `see ${first}`, this.state(this.things.get(first)));
    else if (kind === "return") return [this.value(first)];
    else if (kind === "raise") throw first === undefined ? error : new errors[first](...rest.map((e) => this.value(e)));
    else if (kind === "with") return yield* this.within(actor, error, first, ...rest);
    else if (kind === "try") return yield* this.guarded(actor, error, first, ...rest);
    else if (kind === "for") {
      for (const each of this.value(rest[0])) {
        this.things.set(first, each);
        yield* this.block(actor, rest[1], error);
      }
    }
  }

  *within(actor, error, e, name, statements) {
    const what = `end with ${text(e)}`;
    try {
      const thing = this.value(e);
      yield* thing.acquire();
      this.note(actor, `with ${text(e)}`, "");
      if (name) this.things.set(name, null);
      let got;
      try {
        got = yield* this.block(actor, statements, error);
      } finally {
        thing.release();
      }
      this.note(actor, what, "");
      return got;
    } catch (raised) {
      this.note(actor, what, `raised ${this.show(raised)}`);
      throw raised;
    }
  }

  *guarded(actor, error, statements, handlers, last = []) {
    try {
      return yield* this.block(actor, statements, error);
    } catch (raised) {
      for (const [name, handler] of handlers) {
        if (raised instanceof errors[name]) return yield* this.block(actor, handler, raised);
      }
      throw raised;
    } finally {
      yield* this.block(actor, last, error);
    }
  }

  noted(actor, what, get) {
    try {
      const value = get();
      this.note(actor, what, this.show(value));
      return value;
    } catch (error) {
      this.note(actor, what, `raised ${this.show(error)}`);
      throw error;
    }
  }

  *awaited(actor, what, get) {
    let value, error;
    try {
      const awaitable = get();
      if (Object.getPrototypeOf(Object.getPrototypeOf(awaitable)) === generator) value = yield* awaitable;
      else if (awaitable instanceof Future) value = yield* lib.wait(awaitable);
      else throw new errors.TypeError();
    } catch (raised) {
      error = raised;
    }
    this.noted(actor, what, () => {
      if (error) throw error;
      return value;
    });
  }

  called(name, args) {
    this.note(name, "called", this.show(args));
    let value = null;
    for (const e of this.program.callbacks[name]) value = this.noted(name, text(e), () => this.value(e));
    return value;
  }

  value(e) {
    if (typeof e === "string") return this.things.has(e) ? this.things.get(e) : e in errors ? errors[e] : e;
    if (!Array.isArray(e)) return e;
    const [head, ...rest] = e;
    if (head === "body") return this.body(rest[0]);
    const args = rest.map((arg) => (isObject(arg) ? this.keywords(arg) : this.value(arg)));
    if (head === "list") return args;
    const [thing, method] = head.split(".");
    if (method) return this.things.get(thing)[method](...args) ?? null;
    if (this.things.has(head)) return this.things.get(head)(...args);
    const named = errors[head] ?? lib[head];
    return /^[A-Z]/.test(head) ? new named(...args) : named(...args);
  }

  keywords(of) {
    return Object.fromEntries(Object.entries(of).map(([name, arg]) => [name, this.value(arg)]));
  }

  show(value) {
    if (value === null || value === undefined) return "None";
    if (typeof value === "boolean") return value ? "True" : "False";
    if (typeof value === "number") return String(value);
    if (typeof value === "string") return `'${value}'`;
    if (value instanceof Seconds) return Number.isInteger(value.value) ? `${value.value}.0` : String(value.value);
    if (Array.isArray(value)) return `[${value.map((each) => this.show(each)).join(", ")}]`;
    if (value instanceof Error) {
      const kind = value.constructor.name === "CancelledError" ? "string" : "number";
      const args = (value.args ?? []).filter((arg) => typeof arg === kind && arg !== "");
      return `${value.constructor.name}(${args.map((arg) => this.show(arg)).join(", ")})`;
    }
    for (const [name, thing] of this.things) if (thing === value) return name;
    return "something";
  }

  state(thing) {
    if (thing instanceof Future) {
      return thing.state === "gave" || thing.state === "raised" ? `${thing.state} ${this.show(thing.value)}` : thing.state;
    }
    const had = looks.filter((look) => typeof thing?.[look] === "function");
    return had.map((look) => `${look}=${this.show(thing[look]())}`).join(" ");
  }
}

function isObject(arg) {
  return typeof arg === "object" && arg !== null && !Array.isArray(arg);
}

function text(e) {
  if (typeof e === "string") return e;
  if (!Array.isArray(e)) return e === null ? "None" : e === true ? "True" : e === false ? "False" : String(e);
  const args = e.slice(1).map((arg) =>
    isObject(arg) ? Object.entries(arg).map(([name, of]) => `${name}=${text(of)}`).join(", ") : text(arg));
  return `${e[0]}(${args.join(", ")})`;
}

async function main() {
  console.log(JSON.stringify({ format: 1, names }));
  for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
    console.log(JSON.stringify({ lines: await new Player(JSON.parse(line).program).play() }));
  }
}

main();
