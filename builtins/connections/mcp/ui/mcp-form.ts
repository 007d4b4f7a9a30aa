// Defines the form fields for connecting a server, and builds the request from them. Pure.
import type { RequestBody } from 'agent-harness/client';

export type McpServer = RequestBody<'POST /api/integrations/mcp'>;

export interface McpForm {
  readonly name: string;
  readonly how: 'command' | 'url';
  readonly command: string;
  /** One argument per line. */
  readonly argumentLines: string;
  readonly url: string;
  readonly sign: 'none' | 'bearer' | 'oauth';
  readonly token: string;
  readonly autoApproveReads: boolean;
}

export const emptyMcpForm: McpForm = {
  name: '',
  how: 'command',
  command: '',
  argumentLines: '',
  url: '',
  sign: 'none',
  token: '',
  autoApproveReads: false,
};

export function mcpServerOf({ name, how, command, argumentLines, url, sign, token, autoApproveReads }: McpForm): McpServer {
  const reads = autoApproveReads ? { autoApproveReads } : {};
  if (how === 'command') return { name, command: command.trim(), args: linesOf(argumentLines), ...reads };
  const auth = sign === 'bearer' ? { auth: { kind: sign, token } } : sign === 'oauth' ? { auth: { kind: sign } } : {};
  return { name, url: url.trim(), ...auth, ...reads };
}

/** Keeps spaces at the ends of an argument; ignores empty lines. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}
