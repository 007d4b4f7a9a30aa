// Implements `/heartbeat` in a chat, and `heartbeat` on the command line.
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
    summary: 'Shows what the heartbeat did in this chat, mutes it until tomorrow, and sets how many nudges this chat gets.',
    async run({ chatId, args }) {
      const heartbeat = await open();
      if (args === 'mute' || args === 'unmute') await heartbeat.mute(args === 'mute');
      else if (args === 'less' || args === 'more') await heartbeat.less(chatId, args === 'less');
      else if (args !== '') return `There is no '${args}': mute, unmute, less, more.`;
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
        output.err("'heartbeat' takes runs, mute or unmute, or nothing.\n");
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

/** Uses the server of this home folder, or this process if none runs. */
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
  const { message = `The server answered ${status}.` } = (reply as { readonly error?: { readonly message?: string } }).error ?? {};
  throw new Error(message);
}
