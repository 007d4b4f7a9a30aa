// Implements `plugins allow` and `plugins isolate`: approves capabilities of a third-party plugin, and sets its isolation.
import { oneLine } from '#lib/text';
import { makeSafe } from '#lib/terminal';
import { readAnswer } from '../answer.ts';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';

interface Row {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
  readonly isolation?: string;
  readonly capabilities?: readonly string[];
  readonly asks?: readonly string[];
}

const tiers: Readonly<Record<string, string | null>> = { process: 'process', child: 'child', default: null };

export const pluginTrust: RunCommand = async (parts, { positionals: [action, name, tier, ...more], options, signal }, output) => {
  const isAllowing = action === 'allow';
  if (name === undefined || more.length > 0 || (isAllowing ? tier !== undefined : !Object.hasOwn(tiers, tier ?? ''))) {
    return refuseUse(output, isAllowing ? "'plugins allow' takes one name." : "'plugins isolate' takes a name and one of process, child, default.");
  }
  return withServer(parts, signal, async (client) => {
    const { plugins } = await client.call<{ plugins: readonly Row[] }>('GET', '/api/plugins');
    const row = plugins.find((one) => one.name === name);
    const asks = row?.asks ?? [];
    if (isAllowing && row && asks.length === 0) {
      output.out(`${name} requests no further capabilities.\n`);
      return exitCodes.done;
    }
    if (isAllowing && row) {
      for (const sentence of asks) output.out(`  ${oneLine(makeSafe(sentence), 500)}\n`);
      if (options['yes'] !== true) {
        if (output.isInputTerminal !== true) {
          output.err('Nothing was allowed: there is no terminal for the confirmation. Use --yes.\n');
          return exitCodes.unanswered;
        }
        output.out(`Grant these capabilities to ${name}? [y/N] `);
        if (!/^y(es)?$/i.test((await readAnswer(output)).trim())) {
          output.out('Nothing was allowed.\n');
          return exitCodes.done;
        }
      }
    }
    const body = isAllowing ? { asks } : { isolation: tiers[tier ?? ''] };
    const path = `/api/plugins/${encodeURIComponent(name)}/trust`;
    const { plugin, pending } = await client.call<{ plugin: Row; pending?: boolean }>('PUT', path, { ...body, whenBusy: 'queue' });
    const where = plugin.isolation ?? 'process';
    const reason = plugin.reason === undefined ? '' : `: ${oneLine(makeSafe(plugin.reason), 500)}`;
    output.out(pending === true ? `${name} is reloaded when no turn runs.\n` : `${name} is ${plugin.state} (${where})${reason}.\n`);
    return plugin.state === 'failed' && pending !== true ? exitCodes.failed : exitCodes.done;
  });
};
