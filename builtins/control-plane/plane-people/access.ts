// Ends the open streams of members on every node when the members lose access.
import type { Disposable } from 'agent-harness/kernel';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { Signals } from 'agent-harness/builtins/control-plane/plane-signals';
import type { AccessChange, CredentialSource, Member } from './contract.ts';

export interface Access {
  /** Ends the affected streams on this node, and notifies the other nodes. */
  changed(change: AccessChange): void;
  /** Returns a signal that is aborted when the member loses access. The caller must dispose the result. */
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
/** Polling interval in milliseconds. Polling ends a stream within a second if signals are lost or another node cannot send signals. */
const pollMs = 750;
/** Number of intervals between two polls while signals arrive; a single signal may still be lost, and sessions expire without a signal. */
const intervalsPerPoll = 20;

export function createAccess({ database, signals, sources, onFault }: AccessParts): Access {
  const watchers = new Set<Watcher>();
  let checking: Promise<void> | undefined;
  let isDue = false;
  let rounds = 0;

  function end(fits: (member: Member) => boolean, among: Iterable<Watcher> = [...watchers]): void {
    for (const watcher of among) {
      if (!watchers.has(watcher) || !fits(watcher.member)) continue;
      watchers.delete(watcher);
      watcher.ending.abort(new Error('the access ended'));
    }
  }

  function apply(change: AccessChange): void {
    if (change.what === 'credential') end(({ credential }) => credential === change.credential);
    else if (change.what === 'member') end(({ org, person }) => org.id === change.orgId && person.id === change.userId);
    else end(({ org }) => org.id === change.orgId);
  }

  /** Checks each person with an open stream in the database. */
  async function checkAll(): Promise<void> {
    // The query's result does not cover watchers that are added while it runs.
    const checked = [...watchers];
    const members = checked.map(({ member }) => member);
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
    end(({ org, person, role, via, credential }) => ended.has(`${via} ${credential}`) || !now.has(`${org.id} ${person.id} ${role} ${org.tier}`), checked);
  }

  /** Starts a check. A call during a check starts another check after it. */
  function check(): void {
    if (checking) {
      isDue = true;
      return;
    }
    checking = checkAll()
      .catch(onFault)
      .finally(() => {
        checking = undefined;
        if (isDue) {
          isDue = false;
          check();
        }
      });
  }

  const subscription = signals.subscribe(topic, (payload) => apply(payload as AccessChange));
  const recovery = signals.onRecovered(check);
  const timer = setInterval(() => {
    if (watchers.size === 0) return;
    rounds = (rounds + 1) % intervalsPerPoll;
    if (signals.state() !== 'connected' || rounds === 0) check();
  }, pollMs);
  timer.unref();

  return {
    changed(change) {
      apply(change);
      signals.publish(topic, change);
    },
    watch(member) {
      const watcher: Watcher = { member, ending: new AbortController() };
      watchers.add(watcher);
      // Access may have ended since the request was admitted.
      check();
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
