import { describe, expect, test } from 'vitest';
import type { PluginModule } from 'agent-harness/kernel';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import { startCommands, type CommandsKernel } from './kernel-with-commands.ts';

const plugin = (...commands: SlashCommand[]): PluginModule<never> => ({
  register: (registry) => commands.forEach((command) => registry.add('slash_command', command)),
});
const echo: SlashCommand = {
  name: 'echo',
  summary: 'Says it back.',
  usage: '<text>',
  run: ({ args, chatId, workspaceRoot }) => `${chatId} ${workspaceRoot} ${args}`,
};

const start = (modules = {}): Promise<CommandsKernel> => startCommands(modules);

describe('a slash command message', () => {
  test('runs a known command with the remaining text as arguments', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/echo  two words \n')).toBe('chat_1 /work/one two words');
    expect(await intercept('/echo')).toBe('chat_1 /work/one ');
    expect(await intercept('/echo\nover\nlines')).toBe('chat_1 /work/one over\nlines');
  });

  test('with an unknown command gets the closest names as reply', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/ehco hello')).toBe(
      "There is no command '/ehco'. Did you mean '/echo'? '/help' lists all commands. Begin with '//' to say it to the model.",
    );
    expect(await intercept('/zzzzz')).not.toContain('Did you mean');
  });

  test.each(['/etc/hosts is what?', '//echo hello', 'say /echo', '/Echo hello', '/', '/ echo', '/echo: hello'])(
    'is passed to the model when it is %j',
    async (text) => {
      const { intercept } = await start({ talk: plugin(echo) });
      expect(await intercept(text)).toBeUndefined();
    },
  );

  test('from a sub-agent is passed to the model', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/echo hello', { isRoot: false })).toBeUndefined();
  });

  test('gets the error message as reply when the command throws', async () => {
    const failing: SlashCommand = { name: 'undo', summary: 'Fails.', run: () => Promise.reject(new Error('There is nothing to undo.')) };
    const { intercept } = await start({ files: plugin(failing) });
    expect(await intercept('/undo')).toBe('/undo: There is nothing to undo.');
  });
});

describe('/help', () => {
  test('lists every command with usage and summary, sorted', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/help')).toBe('- /echo <text>: Says it back.\n- /help [command]: Lists the commands, or explains one.');
  });

  test('explains one command, or reports an unknown name', async () => {
    const { intercept } = await start({ talk: plugin(echo) });
    expect(await intercept('/help /echo')).toBe('/echo <text>: Says it back.');
    expect(await intercept('/help ecko')).toMatch(/^There is no command '\/ecko'\. Did you mean '\/echo'\?\n\n- /);
  });
});

describe('contribution', () => {
  test('a duplicate command fails the later plugin and names both owners', async () => {
    const { report, intercept } = await start({ first: plugin(echo), second: plugin({ ...echo, run: () => 'other' }) });
    const second = report.plugins.find((one) => one.name === 'second');
    expect(second).toMatchObject({ state: 'failed', reason: expect.stringContaining("'/echo' is contributed by both 'first' and 'second'") });
    expect(await intercept('/echo')).toContain('chat_1');
  });

  test.each(['Echo', 'two words', '/echo', '', 'é'])('rejects a command named %j', async (name) => {
    const { report } = await start({ talk: plugin({ ...echo, name }) });
    expect(report.plugins.find((one) => one.name === 'talk')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('is not a valid name for a slash command'),
    });
  });

  test('a command is removed when its plugin is disabled', async () => {
    const { kernel, intercept } = await start({ talk: plugin(echo) });
    await kernel.control.setDisabled(['talk']);
    expect(kernel.resolve('commands').slash()).toEqual([expect.objectContaining({ name: 'help' })]);
    expect(await intercept('/echo')).toContain('no command');
  });
});

describe('HTTP routes', () => {
  test('lists frequently used commands first, then the others by name', async () => {
    const others = ['compact', 'zebra', 'undo', 'model', 'apple'].map((name) => [name, plugin({ ...echo, name })] as const);
    const { kernel } = await start(Object.fromEntries(others));
    expect(
      kernel
        .resolve('commands')
        .slash()
        .map(({ name }) => name),
    ).toEqual(['undo', 'model', 'compact', 'help', 'apple', 'zebra']);
  });

  test('runs a command in the given chat or in the active one', async () => {
    const { routes } = await start({ talk: plugin(echo) });
    const run = (body: object): unknown => routes.get('POST /api/commands')?.handle({ body } as never);
    expect(await run({ name: 'echo', args: ' hi ', chatId: 'chat_9' })).toEqual({ text: 'chat_9 /work/chat_9 hi' });
    expect(await run({ name: 'echo' })).toEqual({ text: 'chat_active /work/chat_active ' });
  });

  test('returns 404 with the closest names for an unknown command', async () => {
    const { routes } = await start({ talk: plugin(echo) });
    const reply = routes.get('POST /api/commands')?.handle({ body: { name: 'ech' } } as never);
    await expect(reply).rejects.toMatchObject({ code: 'COMMANDS_ERR_UNKNOWN', status: 404, message: expect.stringContaining("'/echo'") });
  });
});

test('a command without a run function fails its plugin and names the missing function', async () => {
  const { kernel } = await start({ idle: plugin({ name: 'idle', summary: 'Does nothing.' } as never) });
  expect(kernel.control.report().plugins.find(({ name }) => name === 'idle')).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('needs a function run'),
  });
});
