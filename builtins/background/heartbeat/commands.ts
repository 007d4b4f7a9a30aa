// Implements the slash command `/heartbeat` and the CLI command `heartbeat`.
import type { CliCommand, SlashCommand } from 'agent-harness/plugins/commands';
import type { Http, Principal, WebToken } from 'agent-harness/plugins/http';
import type { OpenHeartbeat } from './open-heartbeat.ts';
import type { ListedRuns } from './describe-heartbeat.ts';
import type { HeartbeatView } from './view.ts';

interface SlashParts {
  open(): Promise<OpenHeartbeat>;
  view(chatId: string): Promise<HeartbeatView>;
}

export function slashCommand({ open, view }: SlashParts): SlashCommand {
  return {
    name: 'heartbeat',
    usage: '[mute | unmute | less | more]',
    permission: 'chats.write',
    summary: 'Shows the heartbeat runs of this chat, mutes the heartbeat until tomorrow, and sets how many nudges this chat gets.',
    async run({ chatId, args }) {
      const heartbeat = await open();
      if (args === 'mute' || args === 'unmute') await heartbeat.mute(args === 'mute');
      else if (args === 'less' || args === 'more') await heartbeat.less(chatId, args === 'less');
      else if (args !== '') return `'${args}' is not an option. Use mute, unmute, less or more.`;
      return (await import('./describe-heartbeat.ts')).describeHeartbeat(await view(chatId));
    },
  };
}

interface CliParts {
  readonly http: Pick<Http, 'running' | 'dispatch'>;
  readonly webToken: WebToken;
}

export function cliCommand(services: CliParts): CliCommand {
  return {
    name: 'heartbeat',
    usage: '[runs | mute | unmute]',
    summary: 'Shows the state and the cost of today’s heartbeat, lists its runs, and mutes it until tomorrow.',
    options: { json: { type: 'boolean', description: 'Prints JSON for programs.' } },
    async run({ positionals: [action = 'status', ...more], options }, output) {
      if (!['status', 'runs', 'mute', 'unmute'].includes(action) || more.length > 0) {
        output.err("Unknown arguments. Usage: 'heartbeat', 'heartbeat runs', 'heartbeat mute', 'heartbeat unmute'.\n");
        return 2;
      }
      if (action.endsWith('mute')) await call(services, 'PUT', '/api/heartbeat/mute', { isMuted: action === 'mute' });
      const reply = await call(services, 'GET', action === 'runs' ? '/api/heartbeat/runs' : '/api/heartbeat');
      const { describeHeartbeat, describeRuns } = await import('./describe-heartbeat.ts');
      const text = action === 'runs' ? describeRuns(reply as ListedRuns) : describeHeartbeat(reply as HeartbeatView);
      output.out(`${options['json'] === true ? JSON.stringify(reply) : text}\n`);
      return 0;
    },
  };
}

const owner: Principal = { kind: 'owner', id: 'owner', role: 'owner' };

/** Calls the server of this home folder, or this process if no server is running. */
async function call({ http, webToken }: CliParts, method: 'GET' | 'PUT', path: string, body?: object): Promise<unknown> {
  const running = await http.running();
  if (!running) {
    const reply = await http.dispatch({ method, path, ...(body ? { body } : {}) }, { principal: owner });
    return answerOf(reply.status, JSON.parse(reply.body.toString('utf8')));
  }
  const headers = { authorization: `Bearer ${await webToken.current()}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const reply = await fetch(running.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return answerOf(reply.status, await reply.json());
}

function answerOf(status: number, reply: unknown): unknown {
  if (status < 300) return reply;
  const { message = `The server returned status ${status}.` } = (reply as { readonly error?: { readonly message?: string } }).error ?? {};
  throw new Error(message);
}
