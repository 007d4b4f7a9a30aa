// What is read from a server carries arguments there: once text from outside was read, that asks like any other sending.
import type { ApprovalRule } from 'agent-harness/plugins/policy';

export const readsRule: ApprovalRule = {
  name: 'mcp-reads-after-untrusted',
  decide({ tool, args, turn }) {
    if (tool.plugin !== 'mcp' || !turn.isTainted || tool.effects?.includes('external') === true) return undefined;
    // The name of the server stays here.
    const isEmpty = Object.keys(args).every((key) => tool.family === 'mcp' && key === 'server');
    return isEmpty ? undefined : { verdict: 'ask', reason: 'This turn read text from outside, and the call would send its arguments to an MCP server.' };
  },
};
