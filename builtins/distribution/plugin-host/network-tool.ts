// Tools of a plugin that reaches hosts: they count as network tools, and their results as external content, whatever the plugin declares.
import { messageOf } from 'agent-harness/lib/errors';
import type { Tool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';

/** A tool without declared effects asks at each call, so it stays as it is in this. */
export function asNetworkTool({ effects = [], run, ...tool }: Tool): Tool {
  const isKnown = effects.length === 0 || effects.some((effect) => effect === 'network' || effect === 'external');
  return {
    ...tool,
    effects: isKnown ? effects : [...effects, 'network'],
    // All of them: which arguments a plugin passes on cannot be checked.
    sendsArguments: true,
    ...(run ? { run: async (args: never, context: ToolContext) => asExternal(tool.name, async () => run(args, context)) } : {}),
  };
}

async function asExternal(name: string, run: () => Promise<ToolOutcome | string>): Promise<ToolOutcome> {
  try {
    const outcome = await run();
    return typeof outcome === 'string' ? { ok: true, output: outcome, isUntrusted: true } : { ...outcome, isUntrusted: true };
  } catch (fault) {
    return { ok: false, error: `${name} failed: ${messageOf(fault)}`, isUntrusted: true };
  }
}
