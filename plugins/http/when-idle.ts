// A moment after the start, once nobody is being served, something is done once.

/** Milliseconds; a client that has just been told the address is served first. */
const momentMs = 250;

/** Contract: `work` never rejects. @returns stops waiting */
export function whenIdle(server: { isIdle(): boolean }, work: () => Promise<void>): () => void {
  let timer = setTimeout(look, momentMs);
  function look(): void {
    if (server.isIdle()) void work();
    else timer = setTimeout(look, momentMs);
  }
  return () => clearTimeout(timer);
}
