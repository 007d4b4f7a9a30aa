// Ends what a member still gets once they may not any more.
import type { ServerResponse } from 'node:http';
import type { Disposable } from 'agent-harness/kernel';
import type { Member, People } from 'agent-harness/builtins/control-plane/plane-people';

/** Most answers are over before, and cost no look at who may. */
const firstLookMs = 500;

/** Until it is disposed, the answer breaks off within a second of the end of the member's access. */
export function endWithAccess(people: Pick<People, 'watchAccess'>, member: Member, response: ServerResponse): Disposable {
  let access: ReturnType<People['watchAccess']> | undefined;
  const end = (): void => void response.destroy();
  const timer = setTimeout(() => {
    access = people.watchAccess(member);
    if (access.signal.aborted) end();
    else access.signal.addEventListener('abort', end, { once: true });
  }, firstLookMs).unref();
  return {
    dispose() {
      clearTimeout(timer);
      access?.signal.removeEventListener('abort', end);
      void access?.dispose();
    },
  };
}
