// Reads the wallet of managed inference from the control plane and warns when its credits are nearly used up.
import type { ControlPlane, InferenceStatus } from 'agent-harness/builtins/account/hub';
import { isRecord } from '#lib/values';

export interface WalletState {
  readonly capMicro: number;
  readonly usedMicro: number;
  readonly remainingMicro: number;
  readonly periodEnd: string | null;
  /** Threshold of used credits that was exceeded, in percent; `null` below 80 percent. */
  readonly warning: 80 | 95 | null;
}

export interface WalletReader {
  /** Resolves with `undefined` if the wallet is unknown. Never rejects. */
  read(): Promise<WalletState | undefined>;
  /** Converts a wallet from millionths to credits. */
  statusOf(state: WalletState): Pick<InferenceStatus, 'remaining' | 'cap' | 'used' | 'periodEnd'>;
  /** Reports each warning once per period. Never rejects. */
  warnOnce(notify: (message: string) => void): Promise<void>;
}

const micro = 1_000_000;
/** Minimum interval between checks in milliseconds, because turns end often. */
const warnEveryMs = 30_000;

export function createWalletReader(controlPlane: Pick<ControlPlane, 'request'>): WalletReader {
  let lastReported = '';
  let checkedAt = -Infinity;

  async function read(): Promise<WalletState | undefined> {
    const reply = await controlPlane.request({ method: 'GET', path: '/api/inference/wallet', timeoutMs: 5_000 }).catch(() => undefined);
    return stateIn(reply?.body);
  }

  return {
    read,
    statusOf: ({ capMicro, usedMicro, remainingMicro, periodEnd }) => ({
      remaining: remainingMicro / micro,
      cap: capMicro / micro,
      used: usedMicro / micro,
      periodEnd,
    }),
    async warnOnce(notify) {
      if (performance.now() - checkedAt < warnEveryMs) return;
      checkedAt = performance.now();
      const state = await read();
      const mark = `${state?.warning ?? ''} ${state?.periodEnd ?? ''}`;
      if (state?.warning == null || mark === lastReported) return;
      lastReported = mark;
      notify(`${state.warning} percent of the credits for managed inference are used: ${state.usedMicro / micro} of ${state.capMicro / micro} credits.`);
    },
  };
}

/** Reads the wallet from a response. For a member with a share of the wallet, the smaller amount applies. */
function stateIn(body: unknown): WalletState | undefined {
  if (!isRecord(body)) return undefined;
  const whole = amountsIn(body);
  const own = isRecord(body['member']) ? amountsIn(body['member']) : undefined;
  if (!whole) return undefined;
  const { periodEnd, warning } = body;
  const least = own && own.remainingMicro < whole.remainingMicro ? own : whole;
  return { ...least, periodEnd: typeof periodEnd === 'string' ? periodEnd : null, warning: warning === 80 || warning === 95 ? warning : null };
}

function amountsIn({ capMicro, usedMicro, remainingMicro }: Readonly<Record<string, unknown>>): Omit<WalletState, 'periodEnd' | 'warning'> | undefined {
  return typeof capMicro === 'number' && typeof usedMicro === 'number' && typeof remainingMicro === 'number'
    ? { capMicro, usedMicro, remainingMicro }
    : undefined;
}
