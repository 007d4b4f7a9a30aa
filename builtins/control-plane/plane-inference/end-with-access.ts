// Aborts a member's running responses when the member loses access.
import type { ServerResponse } from 'node:http';
import type { Disposable } from 'agent-harness/kernel';
import type { Member, People } from 'agent-harness/builtins/control-plane/plane-people';

/** Delay before the first access check in milliseconds; most responses end earlier and need none. */
const firstCheckMs = 500;

/** Aborts the response within a second after the member's access ends. Disposing the result ends the watch. */
export function endWithAccess(people: Pick<People, 'watchAccess'>, member: Member, response: ServerResponse): Disposable {
  let access: ReturnType<People['watchAccess']> | undefined;
  const end = (): void => void response.destroy();
  const timer = setTimeout(() => {
    access = people.watchAccess(member);
    if (access.signal.aborted) end();
    else access.signal.addEventListener('abort', end, { once: true });
  }, firstCheckMs).unref();
  return {
    dispose() {
      clearTimeout(timer);
      access?.signal.removeEventListener('abort', end);
      void access?.dispose();
    },
  };
}
