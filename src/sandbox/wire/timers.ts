/** Waiting that ends with the sandbox. */
export interface Timers {
  /** Resolves to true after `ms`, or to false at once when the sandbox is closed. */
  sleep(ms: number): Promise<boolean>;
  /** Runs `task` after `ms`, unless the sandbox is closed before. */
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
