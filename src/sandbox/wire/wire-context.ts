import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { RequestRecord } from '../settings.ts';
import type { SandboxState } from '../state.ts';

/** Objects that request handlers need: the sandbox's state, request ids, timers and the request listener. */
export interface WireContext extends Omit<Timers, 'stop'> {
  readonly state: SandboxState;
  nextRequestId(): string;
  readonly onRequest: ((record: RequestRecord) => void) | undefined;
}

/** Hono with Node's own request and response, which handlers write to. */
export type SandboxApp = Hono<{ Bindings: HttpBindings }>;
export type SandboxContext = Context<{ Bindings: HttpBindings }>;

/** Timers that end with the sandbox. */
export interface Timers {
  /** Resolves to true after `ms`, or to false as soon as the sandbox is closed. */
  sleep(ms: number): Promise<boolean>;
  /** Runs `task` after `ms`, unless the sandbox is closed first. */
  later(ms: number, task: () => void): void;
  stop(): void;
}

export function createTimers(): Timers {
  const waiting = new Map<NodeJS.Timeout, () => void>();
  let stopped = false;
  const start = (ms: number, ended: () => void, cancelled: () => void): void => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      ended();
    }, ms);
    waiting.set(timer, cancelled);
  };
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        if (stopped) resolve(false);
        else
          start(
            ms,
            () => resolve(true),
            () => resolve(false),
          );
      }),
    later(ms, task) {
      if (!stopped) start(ms, task, () => undefined);
    },
    stop() {
      stopped = true;
      for (const [timer, cancelled] of waiting) {
        clearTimeout(timer);
        cancelled();
      }
      waiting.clear();
    },
  };
}
