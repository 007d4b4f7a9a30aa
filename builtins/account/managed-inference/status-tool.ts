// Implements the tool `managed_inference_status`: reports route, models, credits and license.
import type { License } from 'agent-harness/plugins/licensing';
import type { RunTool } from 'agent-harness/plugins/tools';
import type { ManagedRoute } from './managed-route.ts';
import type { SessionRefresher } from './session-refresher.ts';
import type { WalletReader } from './wallet-reader.ts';

export interface StatusToolParts {
  readonly route: ManagedRoute;
  readonly wallet: WalletReader;
  readonly refresher: SessionRefresher;
  readonly license: Pick<License, 'state'>;
}

export function createStatusTool({ route, wallet, refresher, license }: StatusToolParts): RunTool {
  return async () => {
    const state = await wallet.read();
    const { models } = (await refresher.get().catch(() => undefined)) ?? {};
    return [
      route.isManaged() ? `Managed inference is used, with ${route.model() ?? 'no model'}.` : 'Your own key is used instead of managed inference.',
      models ? `Models: ${models.join(', ') || 'none'}.` : 'The models are currently unknown.',
      state ? creditsLine(wallet.statusOf(state)) : 'The remaining credits are unknown.',
      `License: ${license.state().tier}, ${license.state().status}.`,
    ].join('\n');
  };
}

function creditsLine({ remaining, cap, used, periodEnd }: ReturnType<WalletReader['statusOf']>): string {
  const until = periodEnd === null ? '' : `, until ${periodEnd}`;
  return `Credits: ${remaining} of ${cap} left, ${used} used${until}.`;
}
