// A lock, semaphores, queues and tasks on promises, as a library for JavaScript might have them.
//
// A coroutine is a generator: it yields a Future to wait for it, or TURN to give up its turn.  A task resumes it by the
// promise of that future.  Each wait has an AbortController, which a cancel of the task aborts.
"use strict";

class PythonError extends Error {
  constructor(...args) {
    super(args.join(", "));
    this.args = args;
  }
}
class Cancelled extends PythonError {}
class Usual extends PythonError {}
const errors = { BaseException: PythonError, CancelledError: Cancelled, Exception: Usual };
const kinds = {
  RuntimeError: "Exception", ValueError: "Exception", TypeError: "Exception", LookupError: "Exception",
  KeyError: "LookupError", IndexError: "LookupError", InvalidStateError: "Exception", QueueEmpty: "Exception",
  QueueFull: "Exception", QueueShutDown: "Exception",
};
for (const [name, kind] of Object.entries(kinds)) errors[name] = class extends errors[kind] {};
for (const [name, kind] of Object.entries(errors)) Object.defineProperty(kind, "name", { value: name });

const TURN = Symbol("turn");
const loop = { soon: [], timers: [], now: 0, current: null };

class Future {
  constructor() {
    this.state = "pending";
    this.promise = new Promise((settle) => (this.settle = settle));
    this.callbacks = [];
  }
  done() {
    return this.state !== "pending";
  }
  cancelled() {
    return this.state === "cancelled";
  }
  cancel(message = "") {
    return !this.done() && this.end("cancelled", message);
  }
  set_result(value) {
    if (this.done()) throw new errors.InvalidStateError();
    this.end("gave", value);
    return null;
  }
  set_exception(error) {
    if (this.done()) throw new errors.InvalidStateError();
    this.end("raised", typeof error === "function" ? new error() : error);
    return null;
  }
  end(state, value) {
    this.state = state;
    this.value = value;
    this.settle();
    return true;
  }
  result() {
    const error = this.exception();
    if (error) throw error;
    return this.value;
  }
  exception() {
    if (!this.done()) throw new errors.InvalidStateError();
    if (this.cancelled()) throw new Cancelled(...(this.value ? [this.value] : []));
    return this.state === "raised" ? this.value : null;
  }
  add_done_callback(call) {
    const entry = { call };
    this.callbacks.push(entry);
    this.promise.then(() => {
      const at = this.callbacks.indexOf(entry);
      if (at >= 0) this.callbacks.splice(at, 1)[0].call(this);
    });
    return null;
  }
  remove_done_callback(call) {
    const before = this.callbacks.length;
    this.callbacks = this.callbacks.filter((entry) => entry.call !== call);
    return before - this.callbacks.length;
  }
}

class Task extends Future {
  static made = 0;
  constructor(coroutine, { name } = {}) {
    super();
    if (typeof coroutine?.next !== "function") throw new errors.TypeError();
    Object.assign(this, { coroutine, requests: 0, must_cancel: false, message: "", awaited: null });
    this.name = name ?? `Task-${++Task.made}`;
    loop.soon.push(() => this.step());
  }
  get_name() {
    return this.name;
  }
  set_name(name) {
    this.name = String(name);
    return null;
  }
  set_result() {
    throw new errors.RuntimeError();
  }
  set_exception() {
    throw new errors.RuntimeError();
  }
  cancelling() {
    return this.requests;
  }
  uncancel() {
    if (this.requests > 0 && --this.requests === 0) this.must_cancel = false;
    return this.requests;
  }
  cancel(message = "") {
    if (this.done()) return false;
    this.requests += 1;
    this.taken = false;
    if (this.awaited) this.controller.abort(message);
    if (!this.taken) Object.assign(this, { must_cancel: true, message });
    return true;
  }
  step(error) {
    const [awaited, before] = [this.awaited, loop.current];
    let [how, value] = ["next", undefined];
    this.awaited = null;
    loop.current = this;
    try {
      if (this.must_cancel) [how, value] = ["throw", new Cancelled(...(this.message ? [this.message] : []))];
      else if (error) [how, value] = ["throw", error];
      else if (awaited) [how, value] = awaited.state === "gave" ? ["next", awaited.value] : ["throw", failure(awaited)];
      this.must_cancel = false;
      const next = this.coroutine[how](value);
      if (!next.done) this.wait(next.value);
      else if (this.must_cancel) this.end("cancelled", this.message);
      else this.end("gave", next.value ?? null);
    } catch (error) {
      if (error instanceof Cancelled) this.end("cancelled", error.args[0] ?? "");
      else this.end("raised", error);
    } finally {
      loop.current = before;
    }
  }
  wait(future) {
    if (future === TURN) return void loop.soon.push(() => this.step());
    if (future === this) return void loop.soon.push(() => this.step(new errors.RuntimeError()));
    this.awaited = future;
    this.controller = new AbortController();
    this.controller.signal.addEventListener("abort", () => {
      this.taken = future.cancel(this.controller.signal.reason);
    });
    if (this.must_cancel && future.cancel(this.message)) this.must_cancel = false;
    future.promise.then(() => this.step());
  }
}

function failure(future) {
  try {
    return future.exception();
  } catch (error) {
    return error;
  }
}

function* wait(future) {
  return future.done() ? future.result() : yield future;
}

function* sleep(seconds, result = null) {
  if (seconds <= 0) {
    yield TURN;
    return result;
  }
  const future = new Future();
  const timer = { when: loop.now + seconds * 1000, call: () => future.done() || future.set_result(null) };
  loop.timers.push(timer);
  try {
    yield* wait(future);
  } finally {
    loop.timers = loop.timers.filter((each) => each !== timer);
  }
  return result;
}

function remove(line, waiter) {
  line.splice(line.indexOf(waiter), 1);
}

function wake_next(line) {
  while (line.length) {
    const waiter = line.shift();
    if (!waiter.done()) return void waiter.set_result(null);
  }
}

class Lock {
  constructor() {
    this.held = false;
    this.waiters = [];
  }
  locked() {
    return this.held;
  }
  *acquire() {
    if (!this.held && this.waiters.every((waiter) => waiter.cancelled())) return (this.held = true);
    const waiter = new Future();
    this.waiters.push(waiter);
    try {
      yield* wait(waiter);
    } catch (error) {
      remove(this.waiters, waiter);
      if (!this.held) this.wake();
      throw error;
    }
    remove(this.waiters, waiter);
    return (this.held = true);
  }
  release() {
    if (!this.held) throw new errors.RuntimeError();
    this.held = false;
    this.wake();
    return null;
  }
  wake() {
    const first = this.waiters[0];
    if (first && !first.done()) first.set_result(true);
  }
}

class Semaphore {
  constructor(value = 1) {
    if (value < 0) throw new errors.ValueError();
    this.value = value;
    this.waiters = [];
  }
  locked() {
    return this.value === 0 || this.waiters.some((waiter) => !waiter.cancelled());
  }
  *acquire() {
    if (!this.locked()) {
      this.value -= 1;
      return true;
    }
    const waiter = new Future();
    this.waiters.push(waiter);
    try {
      yield* wait(waiter);
      remove(this.waiters, waiter);
    } catch (error) {
      remove(this.waiters, waiter);
      if (waiter.state === "gave") this.value += 1;
      this.hand_over();
      throw error;
    }
    this.hand_over();
    return true;
  }
  release() {
    this.value += 1;
    this.hand_over();
    return null;
  }
  hand_over() {
    for (const waiter of this.waiters) {
      if (this.value === 0) break;
      if (waiter.done()) continue;
      this.value -= 1;
      waiter.set_result(true);
    }
  }
}

class BoundedSemaphore extends Semaphore {
  constructor(value = 1) {
    super(value);
    this.bound = value;
  }
  release() {
    if (this.value >= this.bound) throw new errors.ValueError();
    return super.release();
  }
}

class Queue {
  constructor(maxsize = 0) {
    this.maxsize = maxsize.maxsize ?? maxsize;
    Object.assign(this, { items: [], getters: [], putters: [], joiners: [], unfinished: 0, is_shut: false });
  }
  qsize() {
    return this.items.length;
  }
  empty() {
    return this.items.length === 0;
  }
  full() {
    return this.maxsize > 0 && this.items.length >= this.maxsize;
  }
  take() {
    return this.items.shift();
  }
  *stand(line, is_free) {
    const waiter = new Future();
    line.push(waiter);
    try {
      yield* wait(waiter);
    } catch (error) {
      const woken = waiter.state === "gave";
      if (!woken && line.includes(waiter)) remove(line, waiter);
      if (woken && is_free()) wake_next(line);
      throw error;
    }
  }
  *put(item) {
    while (this.full() && !this.is_shut) yield* this.stand(this.putters, () => !this.full());
    return this.put_nowait(item);
  }
  put_nowait(item) {
    if (this.is_shut) throw new errors.QueueShutDown();
    if (this.full()) throw new errors.QueueFull();
    this.items.push(item);
    this.unfinished += 1;
    wake_next(this.getters);
    return null;
  }
  *get() {
    while (this.empty() && !this.is_shut) yield* this.stand(this.getters, () => !this.empty());
    return this.get_nowait();
  }
  get_nowait() {
    if (this.empty()) throw this.is_shut ? new errors.QueueShutDown() : new errors.QueueEmpty();
    const item = this.take();
    wake_next(this.putters);
    return item;
  }
  task_done() {
    if (this.unfinished <= 0) throw new errors.ValueError();
    this.unfinished -= 1;
    if (this.unfinished === 0) this.finish();
    return null;
  }
  finish() {
    for (const joiner of this.joiners.splice(0)) if (!joiner.done()) joiner.set_result(null);
  }
  *join() {
    if (this.unfinished === 0) return null;
    const joiner = new Future();
    this.joiners.push(joiner);
    yield* wait(joiner);
    return null;
  }
  shutdown({ immediate = false } = {}) {
    this.is_shut = true;
    if (immediate) {
      this.unfinished -= this.items.splice(0).length;
      if (this.unfinished === 0) this.finish();
    }
    for (const waiter of [...this.getters.splice(0), ...this.putters.splice(0)]) {
      if (!waiter.done()) waiter.set_result(null);
    }
    return null;
  }
}

class LifoQueue extends Queue {
  take() {
    return this.items.pop();
  }
}

module.exports = {
  errors, loop, TURN, Future, Task, Lock, Semaphore, BoundedSemaphore, Queue, LifoQueue, wait, sleep,
  create_task: (coroutine, options) => new Task(coroutine, options),
  current_task: () => loop.current,
};
