// Ends members' open streams on every node once they lose access.
import type { Disposable } from 'agent-harness/kernel';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { Signals } from 'agent-harness/builtins/control-plane/plane-signals';
import type { AccessChange, CredentialSource, Member } from './contract.ts';

export interface Access {
  changed(change: AccessChange): void;
  watch(member: Member): Disposable & { readonly signal: AbortSignal };
  dispose(): void;
}

export interface AccessParts {
  readonly database: Database;
  readonly signals: Signals;
  readonly sources: () => Iterable<CredentialSource>;
  readonly onFault: (fault: unknown) => void;
}

interface Watcher {
  readonly member: Member;
  readonly ending: AbortController;
}

const topic = 'access';
/** Polling interval, so that nothing stays open for longer than a second: signals may be lost, and another node may be unable to send any. */
const lookMs = 750;
/** While signals arrive, it polls rarely: one may be lost all the same, and sessions also expire. */
const looksEvery = 20;

export function createAccess({ database, signals, sources, onFault }: AccessParts): Access {
  const watchers = new Set<Watcher>();
  let looking: Promise<void> | undefined;
  let isDue = false;
  let rounds = 0;

  function end(fits: (member: Member) => boolean, among: Iterable<Watcher> = [...watchers]): void {
    for (const watcher of among) {
      if (!watchers.has(watcher) || !fits(watcher.member)) continue;
      watchers.delete(watcher);
      watcher.ending.abort(new Error('the access ended'));
    }
  }

  function take(change: AccessChange): void {
    if (change.what === 'credential') end(({ credential }) => credential === change.credential);
    else if (change.what === 'member') end(({ org, person }) => org.id === change.orgId && person.id === change.userId);
    else end(({ org }) => org.id === change.orgId);
  }

  /** Checks each person with an open stream in the database. */
  async function look(): Promise<void> {
    // Those added meanwhile are not covered by the query, so its result does not apply to them.
    const asked = [...watchers];
    const members = asked.map(({ member }) => member);
    if (members.length === 0) return;
    const rows = await database.query<{ org_id: string; user_id: string; role: string; tier: string }>(
      'select m.org_id, m.user_id, m.role, o.tier from membership m join organisation o on o.id = m.org_id where m.user_id = any($1)',
      [[...new Set(members.map(({ person }) => person.id))]],
    );
    const now = new Set(rows.map((row) => `${row.org_id} ${row.user_id} ${row.role} ${row.tier}`));
    const ended = new Set<string>();
    for (const source of sources()) {
      const held = new Set(members.filter(({ via }) => via === source.via).map(({ credential }) => credential));
      if (held.size > 0) for (const one of await source.ended([...held])) ended.add(`${source.via} ${one}`);
    }
    end(({ org, person, role, via, credential }) => ended.has(`${via} ${credential}`) || !now.has(`${org.id} ${person.id} ${role} ${org.tier}`), asked);
  }

  /** A request during a check comes too late for it, so it is checked again. */
  function lookAgain(): void {
    if (looking) {
      isDue = true;
      return;
    }
    looking = look()
      .catch(onFault)
      .finally(() => {
        looking = undefined;
        if (isDue) {
          isDue = false;
          lookAgain();
        }
      });
  }

  const subscription = signals.subscribe(topic, (payload) => take(payload as AccessChange));
  const recovery = signals.onRecovered(lookAgain);
  const timer = setInterval(() => {
    if (watchers.size === 0) return;
    rounds = (rounds + 1) % looksEvery;
    if (signals.state() !== 'connected' || rounds === 0) lookAgain();
  }, lookMs);
  timer.unref();

  return {
    changed(change) {
      take(change);
      signals.publish(topic, change);
    },
    watch(member) {
      const watcher: Watcher = { member, ending: new AbortController() };
      watchers.add(watcher);
      // Access may have ended since the request was admitted.
      lookAgain();
      return { signal: watcher.ending.signal, dispose: () => void watchers.delete(watcher) };
    },
    dispose() {
      clearInterval(timer);
      void subscription.dispose();
      void recovery.dispose();
      end(() => true);
    },
  };
}
