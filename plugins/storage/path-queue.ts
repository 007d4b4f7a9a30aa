// Runs work on the same file one after the other, and work on different files side by side.

export type InTurn = <T>(path: string, work: () => Promise<T>) => Promise<T>;

export function createPathQueues(): InTurn {
  const tails = new Map<string, Promise<unknown>>();
  return (path, work) => {
    const run = (tails.get(path) ?? Promise.resolve()).then(work);
    const tail = run.then(ignore, ignore).then(() => {
      if (tails.get(path) === tail) tails.delete(path);
    });
    tails.set(path, tail);
    return run;
  };
}

function ignore(): void {}
