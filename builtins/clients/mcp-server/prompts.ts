// Serves prompts to an MCP client: the trusted skills of its folder, and a prompt that delegates work to the agent.
import { textStart } from '#lib/text';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ErrorCode, GetPromptRequestSchema, ListPromptsRequestSchema, McpError, type GetPromptResult, type Prompt } from '@modelcontextprotocol/sdk/types.js';
import { CallError, type Client } from 'agent-harness/client';

const handOver: Prompt = {
  name: 'hand_over',
  title: 'Delegate a task to the agent',
  description: 'Delegates a task to the agent behind this server and reports the result.',
  arguments: [{ name: 'task', description: 'The task.', required: true }],
};
const prefix = 'skill:';

export function servePrompts(server: Server, client: Client, findFolder: () => Promise<string | undefined>): void {
  async function skills(name?: string) {
    const folder = await findFolder();
    if (folder === undefined) return [];
    try {
      return (await client.call('GET /api/skills', { query: { workspaceRoot: folder, ...(name === undefined ? {} : { name }) } })).skills;
    } catch (fault) {
      // A distribution may omit skills.
      if (fault instanceof CallError && fault.code === 'not_found') return [];
      throw fault;
    }
  }

  server.setRequestHandler(ListPromptsRequestSchema, async () => ({
    prompts: [
      handOver,
      ...(await skills()).map(({ name, description }) => ({
        name: `${prefix}${name}`,
        description,
        arguments: [{ name: 'task', description: 'The task.', required: false }],
      })),
    ],
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params: { name, arguments: { task = '' } = {} } }) => {
    if (name === handOver.name) {
      if (task.trim() === '') throw new McpError(ErrorCode.InvalidParams, "'task' is missing.");
      return saying(`Delegate this to the agent with send_message, then report the result:\n\n${task}`);
    }
    const [skill] = name.startsWith(prefix) ? await skills(name.slice(prefix.length)) : [];
    if (skill?.text === undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown prompt '${textStart(name, 100)}'.`);
    return { ...saying(task.trim() === '' ? skill.text : `${skill.text}\n\n${task}`), description: skill.description };
  });
}

function saying(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
