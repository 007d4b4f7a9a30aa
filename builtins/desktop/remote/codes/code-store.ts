// Manages the codes that admit guests, and the tokens of guests. Both are stored only in memory, so they end with this process.
import { randomBytes } from 'node:crypto';
import { isSameSecret, sha256 } from '#lib/hash';
import { networkOf } from '#lib/hosts';
import { BoundedMap } from '#lib/values';
import type { OpenCode, RemoteRole, RemoteTransportName } from 'agent-harness/builtins/desktop/remote';

export interface LiveCode extends OpenCode {
  /** Identifies the code without revealing it. */
  readonly id: string;
  /** Device that created the code. Only this device receives the code. */
  readonly by: string;
  readonly transport: RemoteTransportName;
  /** Chat in which the code was requested. */
  readonly chatId?: string;
  readonly isSingleUse: boolean;
  /** Whether no more guests can join with the code; present guests stay. */
  readonly isShut: boolean;
  /** Number of guests that joined with the code. */
  readonly joined: number;
}

export interface Wanted {
  readonly by: string;
  readonly role: RemoteRole;
  readonly transport: RemoteTransportName;
  readonly chatId?: string;
  readonly isSingleUse?: boolean;
}

export interface Joined {
  readonly code: LiveCode;
  /** The same for all connections that use the token. */
  readonly guestId: string;
  /** Name that the guest gave when joining. */
  readonly name?: string;
}

/** `delayMs`: delay of the response to a wrong attempt, in milliseconds, which slows down guessing. */
export type Redeemed = (Joined & { readonly token: string }) | { readonly delayMs: number };

export interface CodeStore {
  open(wanted: Wanted): LiveCode;
  list(): readonly LiveCode[];
  find(code: string): LiveCode | undefined;
  /** Redeems the code of a guest in the local network. Takes constant time for wrong codes. */
  redeem(text: string, from: { readonly address: string; readonly name?: string | undefined }): Redeemed;
  /** Admits a guest that connected through another transport, using a code that was issued for it. `undefined`: the code does not exist or is closed. */
  admit(code: string): Joined | undefined;
  identify(token: string): Joined | undefined;
  /** Returns a guest whose token is valid. */
  joined(guestId: string): Joined | undefined;
  /** Ends a code and the sessions of its guests. @param text the code or its id */
  revoke(text: string): boolean;
  /** Removes one guest and its token. */
  forget(guestId: string): void;
  close(): void;
}

export interface CodeStoreParts {
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly lifeMs: () => number;
  readonly onChange: () => void;
}

/** Characters of codes, without characters that look alike; their number, 32, maps a random byte without bias. */
const signs = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const codeLength = 8;
const maxWrong = 5;
/** Delays of the responses to wrong attempts in milliseconds; the last value repeats. */
const delays = [0, 0, 1_000, 2_000, 4_000] as const;
const maxDelayMs = 4_000;
/** Time in milliseconds during which an address with too many wrong attempts is ignored; its attempts would invalidate the next code as well. */
const deafMs = 15 * 60_000;
const maxAddresses = 10_000;
const maxCodes = 16;
const maxGuestsOfCode = 64;

interface Entry {
  code: LiveCode;
  readonly endsAt: number;
  readonly ending: AbortController;
  readonly timer: NodeJS.Timeout;
  wrong: number;
}

export function createCodeStore({ now, lifeMs, onChange }: CodeStoreParts): CodeStore {
  const entries = new Map<string, Entry>();
  /** Guests, by the hash of their token. */
  const tokens = new Map<string, { readonly entry: Entry; readonly guestId: string; readonly name: string }>();
  const wrongBy = new BoundedMap<string, { count: number; readonly since: number }>(maxAddresses);

  function end(entry: Entry): void {
    if (!entries.delete(entry.code.code)) return;
    clearTimeout(entry.timer);
    for (const [hash, token] of tokens) if (token.entry === entry) tokens.delete(hash);
    entry.ending.abort();
    onChange();
  }

  function live(): Entry[] {
    for (const entry of entries.values()) if (now() >= entry.endsAt) end(entry);
    return [...entries.values()];
  }

  function shut(entry: Entry): void {
    entry.code = { ...entry.code, isShut: true };
    const hasGuests = entry.code.joined > 0;
    if (hasGuests) onChange();
    else end(entry);
  }

  function join(entry: Entry): Joined {
    const { code } = entry;
    entry.code = { ...code, joined: code.joined + 1, isShut: code.isSingleUse || code.joined + 1 >= maxGuestsOfCode };
    return { code: entry.code, guestId: randomBytes(6).toString('hex') };
  }

  function known(token: { readonly entry: Entry; readonly guestId: string; readonly name: string } | undefined): Joined | undefined {
    return token && live().includes(token.entry) ? { code: token.entry.code, guestId: token.guestId, name: token.name } : undefined;
  }

  function failuresOf(address: string): { count: number } {
    const network = networkOf(address);
    const known = wrongBy.get(network);
    if (known && now() - known.since < deafMs) return known;
    const fresh = { count: 0, since: now() };
    wrongBy.set(network, fresh);
    return fresh;
  }

  /** Counts a wrong attempt for all codes, because any of them may be its target. */
  function countWrong(from: { count: number }): Redeemed {
    from.count++;
    let worst = from.count;
    for (const entry of live()) {
      if (entry.code.isShut || entry.code.transport !== 'lan') continue;
      worst = Math.max(worst, ++entry.wrong);
      if (entry.wrong >= maxWrong) shut(entry);
    }
    return { delayMs: delays[worst - 1] ?? maxDelayMs };
  }

  return {
    open({ by, role, transport, chatId, isSingleUse = false }) {
      // Ends the oldest code when the limit is reached.
      const [oldest] = entries.size >= maxCodes ? entries.values() : [];
      if (oldest) end(oldest);
      const life = lifeMs();
      const ending = new AbortController();
      const code: LiveCode = {
        ...{ id: randomBytes(3).toString('hex'), by, code: newCode(), role, transport, isSingleUse, isShut: false, joined: 0, signal: ending.signal },
        expiresAt: new Date(Date.now() + life).toISOString(),
        ...(chatId === undefined ? {} : { chatId }),
      };
      const entry: Entry = { code, endsAt: now() + life, ending, wrong: 0, timer: setTimeout(() => end(entry), life) };
      entry.timer.unref();
      entries.set(code.code, entry);
      onChange();
      return code;
    },
    list: () => live().map(({ code }) => code),
    find: (code) => live().find((entry) => entry.code.code === readCode(code))?.code,
    redeem(text, { address, name = '' }) {
      const from = failuresOf(address);
      if (from.count >= maxWrong) return { delayMs: maxDelayMs };
      const given = readCode(text);
      // Compares with all codes, so that the duration does not reveal a match.
      const [found] = live().filter(({ code }) => isSameSecret(given, code.code) && code.transport === 'lan' && !code.isShut);
      if (!found) return countWrong(from);
      const token = randomBytes(32).toString('hex');
      const joined = join(found);
      tokens.set(sha256(token), { entry: found, guestId: joined.guestId, name });
      onChange();
      return { ...joined, token };
    },
    admit(code) {
      const found = live().find((entry) => entry.code.code === code && entry.code.transport !== 'lan' && !entry.code.isShut);
      return found && join(found);
    },
    identify(token) {
      return known(tokens.get(sha256(token)));
    },
    joined: (guestId) => known([...tokens.values()].find((token) => token.guestId === guestId)),
    revoke(text) {
      const found = entries.get(readCode(text)) ?? [...entries.values()].find(({ code }) => code.id === text.toLowerCase());
      if (found) end(found);
      return found !== undefined;
    },
    forget(guestId) {
      for (const [hash, token] of tokens) if (token.guestId === guestId) tokens.delete(hash);
    },
    close() {
      for (const entry of entries.values()) end(entry);
    },
  };
}

function newCode(): string {
  return [...randomBytes(codeLength)].map((byte) => signs[byte % signs.length]).join('');
}

/** Normalises a typed code: ignores case, spaces and dashes. */
function readCode(text: string): string {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '');
}
