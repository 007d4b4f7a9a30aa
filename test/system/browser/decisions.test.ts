// Tests approvals with every outcome, and questions.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvalOf, button, chatList, conversation, isIdle, isReady, lastUserText, reads, say, toolCards, useBrowser } from '../../helpers/use-browser.ts';

const visit = useBrowser();

const touch = (file: string) => ({ toolCalls: [{ name: 'run_command', args: { command: `touch ${file}` } }] });
const toolAnswer = (request: { readonly body: any }): string => JSON.stringify(request.body.messages.findLast((message: any) => message.role === 'tool'));

test('shows the command and folder without a timer and runs the command when approved', async () => {
  const { page, workspace } = await visit({ script: [touch('made.txt'), { text: 'It is made.' }] });
  await say(page, 'make it');
  const group = approvalOf(page, 'run_command');
  await group.waitFor();
  expect(await group.getByRole('textbox', { name: 'command' }).inputValue()).toBe('touch made.txt');
  expect(await group.innerText()).toContain(workspace);
  expect(await group.getByRole('progressbar').count()).toBe(0);
  expect((await group.boundingBox())?.height).toBeLessThanOrEqual(800 / 2);
  expect(await toolCards(page, 'waiting').count()).toBe(1);
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
  await button(group, 'Approve').click();
  await reads(page, 'It is made.');
  await group.waitFor({ state: 'detached' });
  expect(existsSync(join(workspace, 'made.txt'))).toBe(true);
  expect(await toolCards(page, 'ok').count()).toBe(1);
});

test('disables approval of an empty command, rejects a non-numeric argument and runs the edited command', async () => {
  const script = [{ toolCalls: [{ name: 'run_command', args: { command: 'touch first.txt', timeoutMs: 5000 } }] }, { text: 'Done.' }];
  const { page, workspace, server, model } = await visit({ script });
  await say(page, 'make it');
  const group = approvalOf(page, 'run_command');
  const line = group.getByRole('textbox', { name: 'command' });
  await line.fill('');
  expect(await button(group, 'Approve').getAttribute('aria-disabled')).toBe('true');
  await button(group, 'Restore original').click();
  await button(group, 'Edit').click();
  expect(await line.inputValue()).toBe('touch first.txt');
  await group.getByLabel('timeoutMs').fill('soon');
  await group.getByText('timeoutMs must be a number.').waitFor();
  await button(group, 'Allow edited').click({ force: true });
  expect((await server.call('GET', '/api/pending')).body.approvals).toHaveLength(1);
  await group.getByLabel('timeoutMs').fill('4000');
  await line.fill('touch second.txt');
  await button(group, 'Allow edited').click();
  await reads(page, 'Done.');
  expect([existsSync(join(workspace, 'first.txt')), existsSync(join(workspace, 'second.txt'))]).toEqual([false, true]);
  expect(JSON.stringify((await model.request(1)).body.messages)).toContain('touch second.txt');
});

const letters = `
export function register(registry) {
  registry.add('tool', {
    name: 'send_letter', family: 'letters', description: 'Sends a letter.',
    input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    effects: ['external'], replay: 'never', isConcurrent: true,
    async load() { return { run: ({ text }) => ({ ok: true, output: 'sent ' + text.length }) }; },
  });
}
`;

test('opens one of two approvals at a time and shows full text and buttons of the other once it is opened', async () => {
  const long = `${'word '.repeat(200)}and the end`;
  const send = (text: string) => ({ name: 'send_letter', args: { text } });
  const { page, server } = await visit({
    script: [{ toolCalls: [send('short'), send(long)] }, { text: 'Both are sent.' }],
    plugins: { 'letters.mjs': letters },
  });
  await say(page, 'send them');
  const groups = approvalOf(page, 'send_letter');
  await expect.poll(() => groups.count()).toBe(2);
  const [first, second] = [groups.nth(0), groups.nth(1)];
  expect(await button(groups, 'Approve').count()).toBe(1);
  expect(await button(second, 'Approve').count()).toBe(0);
  await second.getByRole('button').click();
  await button(second, 'Approve').waitFor();
  expect(await second.innerText()).toContain('and the end');
  expect(await button(first, 'Approve').count()).toBe(0);
  await button(second, 'Approve').click();
  await expect.poll(async () => (await server.call('GET', '/api/pending')).body.approvals.map((one: any) => one.args.text)).toEqual(['short']);
  await button(first, 'Approve').click();
  await reads(page, 'Both are sent.');
});

test('disables the buttons of a moved card briefly after another client decides', async () => {
  const { page, server } = await visit({
    script: [{ toolCalls: ['one', 'two'].map((text) => ({ name: 'send_letter', args: { text } })) }, { text: 'Both are sent.' }],
    plugins: { 'letters.mjs': letters },
  });
  await say(page, 'send them');
  const groups = approvalOf(page, 'send_letter');
  await expect.poll(() => groups.count()).toBe(2);
  await page.evaluate(() => {
    const seen = ((globalThis as any).restedButtons = [] as string[]);
    new MutationObserver(() => {
      for (const { textContent } of Array.from(document.querySelectorAll('[data-decision] button[aria-disabled="true"]'))) seen.push(textContent ?? '');
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-disabled'] });
  });
  const [waiting] = (await server.call('GET', '/api/pending')).body.approvals;
  await server.call('POST', '/api/approve', { approvalId: waiting.approvalId, decision: 'approve' });
  await expect.poll(() => groups.count()).toBe(1);
  await button(groups, 'Approve').click();
  await reads(page, 'Both are sent.');
  expect(await page.evaluate(() => (globalThis as any).restedButtons)).toContainEqual(expect.stringContaining('Approve'));
});

test('limits a long command to less than half of the page and scrolls the conversation with the wheel', async () => {
  const command = Array.from({ length: 120 }, (_, line) => `echo line ${line}`).join('\n');
  const { page } = await visit({ script: [{ text: 'Some words.\n\n'.repeat(60), toolCalls: [{ name: 'run_command', args: { command } }] }] });
  await say(page, 'make it');
  const group = approvalOf(page, 'run_command');
  await button(group, 'Approve').waitFor();
  const dock = page.getByRole('region', { name: 'Decisions' });
  expect((await dock.boundingBox())?.height).toBeLessThanOrEqual(800 * 0.46);
  const last = group.getByText('echo line 119');
  await button(group, 'More below').waitFor();
  await last.evaluate((element) => element.parentElement?.closest('[role="region"]')?.scrollTo(0, 1e6));
  await expect.poll(() => button(group, 'More below').count()).toBe(0);
  const top = (): Promise<number> => conversation(page).evaluate((element) => element.scrollTop);
  const before = await top();
  const head = await group.getByRole('heading').boundingBox();
  await page.mouse.move((head?.x ?? 0) + 5, (head?.y ?? 0) + 5);
  await page.mouse.wheel(0, -200);
  await expect.poll(top).toBeLessThan(before);
});

test('shows calls behind a pending approval as queued, and as stopped after Stop', async () => {
  const { page } = await visit({ script: [{ toolCalls: [touch('1'), touch('2'), touch('3')].flatMap(({ toolCalls }) => toolCalls) }] });
  await say(page, 'make them');
  await approvalOf(page, 'run_command').waitFor();
  await expect.poll(() => toolCards(page, 'queued').count()).toBe(2);
  expect(await toolCards(page, 'running').count()).toBe(0);
  await page.reload();
  await approvalOf(page, 'run_command').waitFor();
  await expect.poll(() => toolCards(page, 'queued').count()).toBe(2);
  await button(page, 'Stop').click();
  await isIdle(page);
  await expect.poll(() => toolCards(page, 'stopped').count()).toBe(3);
});

test('shows a pending decision after a reload in the chat list, the title and on other pages', async () => {
  const { page, server } = await visit({ script: [touch('made.txt'), { text: 'Done.' }] });
  await say(page, 'make it');
  await approvalOf(page, 'run_command').waitFor();
  await server.call('POST', '/api/chats', { title: 'Another' });
  await page.goto(`${server.url}/#/settings`);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  await chatList(page).getByText('Waits for your decision').waitFor({ state: 'attached' });
  await expect.poll(() => page.title()).toMatch(/^\(1\) Settings/);
  await page.getByRole('link', { name: /1 pending decision in make it/ }).click();
  await button(approvalOf(page, 'run_command'), 'Approve').click();
  await reads(page, 'Done.');
  await expect.poll(() => page.title()).toMatch(/^make it/);
});

test('sends the reason of a denial for an approval that has just appeared', async () => {
  const { page, workspace, server, model } = await visit({ script: [touch('one.txt'), touch('two.txt'), { text: 'One of them.' }] });
  await say(page, 'make both');
  await approvalOf(page, 'run_command').filter({ hasText: 'touch one.txt' }).waitFor();
  const [first] = (await server.call('GET', '/api/pending')).body.approvals;
  await server.call('POST', '/api/approve', { approvalId: first.approvalId, decision: 'approve' });
  const second = approvalOf(page, 'run_command').filter({ hasText: 'touch two.txt' });
  await button(second, 'Deny').click();
  await second.getByLabel('Reason (optional)').fill('one is enough');
  await button(second, 'Deny now').click();
  await reads(page, 'One of them.');
  expect([existsSync(join(workspace, 'one.txt')), existsSync(join(workspace, 'two.txt'))]).toEqual([true, false]);
  expect(toolAnswer(await model.request(2))).toContain('one is enough');
  expect(await toolCards(page, 'denied').count()).toBe(1);
});

test('removes an approval after its timeout and continues the turn', async () => {
  const { page, workspace } = await visit({ script: [touch('made.txt'), { text: 'Nobody was there.' }], environment: { AGENT_APPROVAL_TIMEOUT_MS: '10000' } });
  await say(page, 'make it');
  await approvalOf(page, 'run_command').waitFor();
  await approvalOf(page, 'run_command').getByRole('progressbar').waitFor();
  await reads(page, 'Nobody was there.');
  await approvalOf(page, 'run_command').waitFor({ state: 'detached' });
  expect(existsSync(join(workspace, 'made.txt'))).toBe(false);
});

test('applies an "always in this folder" rule in another chat until the rule is removed', async () => {
  const script = [touch('made.txt'), { text: 'Once.' }, touch('made.txt'), { text: 'Twice.' }, touch('made.txt'), { text: 'Thrice.' }];
  const { page, server, workspace } = await visit({ script });
  await say(page, 'make it');
  await button(approvalOf(page, 'run_command'), 'Always…').click();
  await page.getByRole('menu').getByText('Always touch made.txt').waitFor();
  await page.getByRole('menuitem', { name: /^In this folder/ }).click();
  await reads(page, 'Once.');
  await isIdle(page);
  const { chatId } = (await server.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: workspace })).body;
  await page.goto(`${server.url}/#/chat/${chatId}`);
  await isIdle(page);
  await say(page, 'again');
  await reads(page, 'Twice.');
  await isIdle(page);
  await page.getByRole('button', { name: /^Mode: / }).click();
  await page.getByRole('menuitem', { name: /^Rules/ }).click();
  const dialog = page.getByRole('dialog');
  const rule = dialog.getByRole('row', { name: /^touch made\.txt 1 / });
  await rule.waitFor();
  await rule.getByRole('button', { name: /^Remove/ }).click();
  await expect.poll(() => rule.count()).toBe(0);
  await page.keyboard.press('Escape');
  await say(page, 'once more');
  await button(approvalOf(page, 'run_command'), 'Always…').click();
  await page.getByRole('menuitem', { name: /^In this chat/ }).click();
  await reads(page, 'Thrice.');
});

test('applies a rule for a kind of command and offers it only for a simple command', async () => {
  const run = (command: string): object => ({ toolCalls: [{ name: 'run_command', args: { command } }] });
  const script = [run('mkdir one'), run('mkdir two'), run('mkdir three && true'), { text: 'All are made.' }];
  const { page, server, workspace } = await visit({ script: script as never });
  await writeFile(join(workspace, 'README.md'), 'Ours.\n');
  await isReady(page);
  // In an untrusted folder, command output is external content.
  const files = (await server.call('GET', '/api/workspace/trust')).body.subjects.find(({ name }: any) => name === 'files');
  await server.call('POST', '/api/workspace/trust', { name: 'files', digest: files.digest, isTrusted: true });
  await say(page, 'make them');
  const group = approvalOf(page, 'run_command');
  await button(group, 'Always…').click();
  await page
    .getByRole('group', { name: 'Always mkdir …', exact: true })
    .getByRole('menuitem', { name: /^In this chat/ })
    .click();
  await expect.poll(() => group.getByRole('textbox').inputValue()).toBe('mkdir three && true');
  expect(existsSync(join(workspace, 'two'))).toBe(true);
  await button(group, 'Always…').click();
  await page.getByRole('menu').getByText('Always mkdir three && true').waitFor();
  expect(await page.getByRole('menu').getByRole('group').count()).toBe(0);
  await page.keyboard.press('Escape');
  await button(group, 'Approve').click();
  await reads(page, 'All are made.');
});

test('shows a pending decision in the title of a hidden page', async () => {
  const { page, openTab, server } = await visit({ script: [touch('made.txt'), { text: 'Done.' }] });
  await say(page, 'make it');
  await approvalOf(page, 'run_command').waitFor();
  // Another tab does not hide this one in a headless browser, so visibility is simulated.
  const show = (isShown: boolean): Promise<void> =>
    page.evaluate((shown) => {
      Object.defineProperty(document, 'visibilityState', { value: shown ? 'visible' : 'hidden', configurable: true });
      Object.defineProperty(document, 'hidden', { value: !shown, configurable: true });
      document.hasFocus = () => shown;
      document.dispatchEvent(new Event('visibilitychange'));
      dispatchEvent(new Event(shown ? 'focus' : 'blur'));
    }, isShown);
  await expect.poll(() => page.title()).toMatch(/^\(1\) make it/);
  const before = await page.title();
  await show(false);
  await expect.poll(() => page.title()).toMatch(/Waiting: run_command/);
  const other = await openTab();
  await button(approvalOf(other, 'run_command'), 'Approve').click();
  await expect.poll(() => page.title()).toMatch(/^Done/);
  await show(true);
  await expect.poll(() => page.title()).toBe(before.replace('(1) ', ''));
  expect((await server.call('GET', '/api/pending')).body.approvals).toEqual([]);
});

test('answers a question with one of its options and another with free text', async () => {
  const ask = (args: object) => ({ toolCalls: [{ name: 'ask_user', args }] });
  const { page, model } = await visit({
    script: [ask({ prompt: 'Which colour?', options: ['red', 'green'] }), ask({ prompt: 'What name?' }), { text: 'Hello, Ann.' }],
  });
  await say(page, 'paint it');
  const group = page.getByRole('group', { name: 'Question' });
  await group.getByText('Which colour?').waitFor();
  await button(group, 'green').click();
  await group.getByText('What name?').waitFor();
  await group.getByLabel('Answer').fill('Ann, of course');
  await button(group, 'Answer').click();
  await reads(page, 'Hello, Ann.');
  await group.waitFor({ state: 'detached' });
  expect(toolAnswer(await model.request(1))).toContain('green');
  expect(toolAnswer(await model.request(2))).toContain('Ann, of course');
  expect(lastUserText(await model.request(2))).toContain('paint it');
  expect(await conversation(page).innerText()).toContain('Which colour?');
});
