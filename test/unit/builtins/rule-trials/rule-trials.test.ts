// Tests approval rules: previewed on past requests before they apply, and limited to the shown kind of call.
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openEventStream, startHarness, useEach, useFolder } from '../../../helpers/in-process.ts';
import { fakeTurn } from '../../../helpers/run-tool.ts';

const builtins = ['shell', 'rule-trials'];
const elsewhere = useFolder('elsewhere-');
const harness = useEach(() => startHarness({ builtins }));

const chatIn = async (workspaceRoot: string): Promise<string> =>
  (await harness.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot })).body.chatId as string;

/** Programs, flags and operands with effects beyond the text of a rule. */
const asking = [
  ...['--prefix other', '--prefix=other', '-C other', '--script-shell=./evil.sh', '--script-shell ./evil.sh', '--script-sh=./evil.sh', '-w other', '-ws']
    .map((flags) => `npm run x ${flags}`), // prettier-ignore
  ...['--node-options=--require=./x.cjs', '--userconfig=x', '-- --x', '-- x', 'x', '--silent=./x', '-sC', '--ignore-scripts false'].map(
    (flags) => `npm run x ${flags}`,
  ),
  ...["'--eval=all:; touch x' all", '--eval x', '-f evil.mk', '-fevil.mk', '--file=x', '-kf x', 'SHELL=./evil.sh', 'CC=./x all', 'all V:=1', '-C /tmp', '-I x'],
  ...['-E x', '--makefile=x', '--dir=x', '--include-dir=x', '-- SHELL=x', '/etc/x', '../x', 'a/../../x', '@x'],
].map((command) => (command.startsWith('npm') ? command : `make ${command}`));
asking.push(
  ...['--pathspec-from-file=/etc/passwd', '--pathspec-from=x', '-f .env', '--chmod=+x a', '/etc/passwd', '../other', "':(top)x'", '-Af'].map(
    (more) => `git add ${more}`,
  ),
  ...['-F /etc/passwd', '-F/etc/passwd', '--file=x', '-C HEAD', '-c HEAD', '-t x', '--amend', '--no-verify', '-amF x', '-m'].map(
    (more) => `git commit ${more}`,
  ),
  ...['git -C x add y', 'git -c a.b=c add y', 'git add-x', "'git add' x", "'npm run' x"],
  ...['-c evil.ini', '-cevil.ini', '-p evil', '-pevil', '--rootdir=/', '-o a=b', '@args', 'tests/../../x', '/tmp/x', '-k "__import__(1)"', '--pyargs x'].map(
    (more) => `pytest ${more}`,
  ),
  ...['prlimit', 'taskset', 'chrt', 'setpriv', 'unshare', 'chroot', 'runuser', 'systemd-run', 'setarch', 'ltrace', 'perf', 'fakeroot', 'dbus-run-session', 'entr']
    .flatMap((wrapper) => [`${wrapper} make`, `${wrapper} -- make all`, `${wrapper} 1 npm run x`]), // prettier-ignore
  ...[
    ...['at', 'psql x', 'sqlite3 x', 'mysql x', 'rg --pre ./evil.sh foo', 'rg foo', 'env make', 'sudo make', 'time make', 'make2 all', 'gmake all'],
    ...['node x.js', 'constructor', 'toString x'],
  ],
  ...[
    ...['go test -exec=./x ./...', 'go test -exec ./x ./...', 'go build -toolexec=./x', 'go build -o /tmp/x', 'go vet -vettool=x', 'go test ./../x'],
    'go run x.go',
  ],
  ...[
    ...['cargo test --config x', 'cargo build --config=x', 'cargo test -- --x', 'cargo +nightly test', 'cargo build --manifest-path=../x/Cargo.toml'],
    'cargo test -C x',
  ],
  ...[
    ...['dotnet build @x.rsp', 'dotnet build -p:x=y', 'dotnet build /p:x=y', 'tsc @args', 'tsc -p ../x', 'tsc -p @x', 'tsc --outDir=/x', 'mvn exec:exec'],
    'mvn -Dx=y test',
  ],
  ...[
    ...['eslint -c x.js .', 'eslint --config=x .', 'eslint --rulesdir=x .', 'prettier --plugin=./x .', 'prettier --config=/x a', 'ruff --config x check'],
    ...['pnpm run x -s', 'yarn run x y'],
  ],
);

/** Returns whether approval was requested for a command and sends the given decision; runs nothing. */
async function isAsked(chatId: string, args: string | Record<string, unknown>, decision = 'approve', isTainted = false): Promise<boolean> {
  const { workspaceRoot } = (await harness.call('GET', `/api/chats/${chatId}`)).body;
  const tool = harness.kernel.resolve('tools').find('run_command')!;
  const turnId = harness.kernel.resolve('storage').createId('turn');
  const turn = fakeTurn({ chatId, turnId, workspaceRoot, signal: new AbortController().signal, isTainted });
  let isOver = false;
  const guarded = harness.kernel
    .resolve('gate')
    .authorize({ callId: 'call', tool, args: typeof args === 'string' ? { command: args } : args, turn })
    .finally(() => (isOver = true));
  const pending = async (): Promise<any[]> => (await harness.call('GET', '/api/pending?chatId=all')).body.approvals;
  await expect.poll(async () => isOver || (await pending()).length > 0).toBe(true);
  const [approval] = await pending();
  if (approval) expect((await harness.call('POST', '/api/approve', { approvalId: approval.approvalId, decision })).status).toBe(200);
  await guarded;
  return approval !== undefined;
}

const view = async (chatId: string): Promise<any> => (await harness.call('GET', `/api/views/rules?chatId=${chatId}`)).body;
const act = (chatId: string, action: string, body: object): Promise<any> => harness.call('POST', `/api/views/rules/actions/${action}`, { ...body, chatId });
const held = async (chatId: string): Promise<unknown[]> => (await view(chatId)).blocks[1].rows.map(({ cells }: any) => cells.slice(0, 2));
const proposed = async (chatId: string): Promise<unknown[]> => (await view(chatId)).blocks[2].rows.map(({ cells }: any) => cells);
const rowOf = async (chatId: string, subject: string): Promise<string> =>
  (await view(chatId)).blocks.flatMap(({ rows = [] }: any) => rows).find(({ cells }: any) => cells[0] === subject).id;

test('proposes a rule from past requests, previews it, applies it to that kind only, counts uses, and removes it', async () => {
  const chat = await chatIn(harness.workspace);
  expect((await view(chat)).blocks[0].text).toBe('There have been no approvals in this folder yet.');
  for (const command of ['npm run build', 'npm run lint --silent', 'npm run build', 'npm run test:all']) expect(await isAsked(chat, command)).toBe(true);
  expect(await isAsked(chat, 'npm publish', 'reject')).toBe(true);
  expect((await view(chat)).blocks[0].text).toMatch(/^Of 5 approvals in this folder since \d{4}-\d\d-\d\d: 4 approved, 1 rejected\.$/);
  // `npm …` is not a kind: it would auto-approve every npm command.
  expect(await proposed(chat)).toEqual([['npm run …', 4, 0]]);

  const stream = await openEventStream(harness, { chatId: 'all' });
  onTestFinished(() => stream.close());
  const shown = await act(chat, 'show', { row: await rowOf(chat, 'npm run …') });
  expect(shown.body.view).toMatchObject({
    title: 'Always npm run …',
    blocks: [
      { text: 'This rule would have answered 4 of your last 5 approvals in this folder, and allowed nothing that you did not approve.' },
      {
        title: 'You approved (4)',
        items: [{ text: 'npm run test:all' }, { text: 'npm run build' }, { text: 'npm run lint --silent' }, { text: 'npm run build' }],
      },
      { kind: 'table' },
    ],
  });
  expect(await isAsked(chat, 'npm run build')).toBe(true);

  const allowed = await act(chat, 'allow', { row: await rowOf(chat, 'npm run …') });
  expect(allowed.body).toMatchObject({ message: 'Always allowed from now on in this folder: npm run ….' });
  // Previewing emits no event; a change emits one to all clients.
  await stream.until('view_changed');
  expect(stream.events.filter(({ kind }) => kind === 'view_changed')).toHaveLength(1);
  expect([await held(chat), await proposed(chat)]).toEqual([[['npm run …', 0]], []]);
  const other = await chatIn(harness.workspace);
  expect(await isAsked(other, 'npm run anything --silent')).toBe(false);
  await expect.poll(() => held(chat)).toEqual([['npm run …', 1]]);
  expect((await harness.call('GET', `/api/approval-rules?chatId=${chat}`)).body.rules).toMatchObject([
    { words: 'always npm run … in this folder', answered: 1 },
  ]);
  for (const beyond of ['npm publish', 'npm run build && rm -rf /', 'npm run build > out', 'npm run $(id)', 'npm  exec thing', './npm run build'])
    expect([beyond, await isAsked(chat, beyond, 'reject')]).toEqual([beyond, true]);
  for (const more of [{ network: true }, { background: true }, { changesSettings: true }, { cwd: 'inner' }])
    expect([more, await isAsked(chat, { command: 'npm run build', ...more }, 'reject')]).toEqual([more, true]);
  // External content may have influenced the rest of the command.
  expect(await isAsked(chat, 'npm run build', 'reject', true)).toBe(true);
  const { blocks } = (await act(chat, 'show', { row: await rowOf(chat, 'npm run …') })).body.view;
  expect(blocks).toContainEqual(expect.objectContaining({ title: 'Still need an approval (1)', items: [expect.objectContaining({ text: 'npm run build' })] }));

  expect((await act(chat, 'remove', { row: await rowOf(chat, 'npm run …') })).body).toMatchObject({
    message: 'The rule was removed. These calls need an approval again: npm run ….',
  });
  expect(await isAsked(chat, 'npm run anything --silent')).toBe(true);
}, 60_000);

test('lists rejected calls first in the preview of a typed rule, and allows the rule from there', async () => {
  const chat = await chatIn(harness.workspace);
  for (let time = 0; time < 3; time++) await isAsked(chat, `make part${time}`);
  await isAsked(chat, 'make deploy', 'reject');
  // One rejection outweighs three approvals.
  expect(await proposed(chat)).toEqual([]);
  const tried = await act(chat, 'try', { input: { rule: 'make' } });
  expect(tried.body.view).toMatchObject({
    title: 'Always make …',
    blocks: [
      { text: 'This rule would have answered 4 of your last 4 approvals in this folder, and allowed 1 that you did not approve.' },
      { title: 'You did not approve (1)', items: [{ text: 'make deploy', detail: expect.stringMatching(/UTC, you denied$/) }] },
      { title: 'You approved (3)' },
      { kind: 'table', rows: [{ cells: ['make …'] }] },
    ],
  });
  expect(await act(chat, 'try', { input: { rule: 'always cargo' } })).toMatchObject({ status: 404, body: { error: { code: 'unknown_rule' } } });
  expect(await act(chat, 'allow', { row: tried.body.view.blocks[3].rows[0].id })).toMatchObject({ status: 200 });
  expect(await isAsked(chat, 'make part7')).toBe(false);
  // The rule is stored on disk for this folder only.
  const { rules } = JSON.parse(await readFile(join(harness.home, 'approval_rules.json'), 'utf8'));
  expect(rules).toMatchObject([{ place: harness.workspace, subject: 'make …', isKind: true }]);
  expect(await isAsked(await chatIn(elsewhere), 'make part7', 'reject')).toBe(true);
});

test('proposes the narrowest rule with nearly the same coverage, and an exact command if it never varies', async () => {
  const chat = await chatIn(harness.workspace);
  for (let time = 0; time < 4; time++) await isAsked(chat, 'cargo test --all');
  for (const jobs of [1, 2, 3, 4]) await isAsked(chat, `make docs -j${jobs}`);
  expect((await proposed(chat)).toSorted()).toEqual([
    ['cargo test --all', 4, 0],
    ['make docs …', 4, 0],
  ]);
});

test('proposes a rule used in several folders for all folders and applies it in trusted ones', async () => {
  const place = await realpath(elsewhere);
  const trust = harness.kernel.resolve('trust');
  const chats: string[] = [];
  for (const name of ['one', 'two', 'three', 'strange']) {
    await mkdir(join(place, name));
    await writeFile(join(place, name, 'README.md'), 'Here.\n');
    const files = (await trust.rows(join(place, name))).find((row) => row.name === 'files');
    if (name !== 'strange') await trust.decide(join(place, name), 'files', files!.digest, true);
    chats.push(await chatIn(join(place, name)));
  }
  const [one, two, three, strange] = chats as [string, string, string, string];
  for (const chat of [one, one, two, two, strange]) await isAsked(chat, 'npm run build');
  await isAsked(two, 'npm run drop', 'reject');
  // Two requests in one folder are too few for a proposal.
  expect(await proposed(one)).toEqual([]);
  const everywhere = async (): Promise<any> => (await view(three)).blocks.find(({ title = '' }: any) => title.includes('in all trusted folders'));
  expect((await everywhere()).rows.map(({ cells }: any) => cells)).toEqual([['npm run build', 4, 2, 0]]);
  const [{ id }] = (await everywhere()).rows;
  expect((await act(three, 'show-everywhere', { row: id })).body.view.blocks[0].text).toBe(
    'This rule would have answered 4 of your last 6 approvals in all trusted folders, and allowed nothing that you did not approve.',
  );
  const { view: tried } = (await act(one, 'try', { input: { rule: 'npm run' } })).body;
  expect(tried.blocks.map(({ text }: any) => text).slice(0, 2)).toEqual([
    'This rule would have answered 2 of your last 2 approvals in this folder, and allowed nothing that you did not approve.',
    'This rule would have answered 5 of your last 6 approvals in all trusted folders, and allowed 1 that you did not approve.',
  ]);

  expect((await act(three, 'allow-everywhere', { row: id })).body.message).toBe('Always allowed from now on in all trusted folders: npm run build.');
  expect(await isAsked(three, 'npm run build')).toBe(false);
  expect(await isAsked(one, 'npm run build')).toBe(false);
  expect([await isAsked(strange, 'npm run build'), await isAsked(three, 'npm run other'), await isAsked(three, 'npm run build', 'reject', true)]).toEqual([
    true,
    true,
    true,
  ]);
  await expect.poll(() => held(strange)).toEqual([['npm run build (all folders)', 2]]);
  expect((await harness.call('GET', `/api/approval-rules?chatId=${one}`)).body.rules).toMatchObject([
    { scope: 'everywhere', words: 'always npm run build in all folders that you trust' },
  ]);
  expect(await everywhere()).toBeUndefined();
  await act(two, 'remove', { row: await rowOf(two, 'npm run build (all folders)') });
  expect(await isAsked(three, 'npm run build')).toBe(true);
}, 60_000);

test('limits a kind rule to known programs, flags and operands', async () => {
  const chat = await chatIn(harness.workspace);
  const kindsOf = (command: string): unknown => harness.kernel.resolve('tools').find('run_command')!.kinds!({ command } as never);
  const subject = {
    'npm run x': 'npm run …',
    'make all': 'make …',
    'git add src': 'git add …',
    'git commit -m "a b" src': 'git commit …',
    'pytest -xq tests': 'pytest …',
  };
  for (const [command, kind] of Object.entries(subject)) {
    expect([command, await kindsOf(command)]).toEqual([command, expect.arrayContaining([kind])]);
    await isAsked(chat, command);
    const { body } = await act(chat, 'try', { input: { rule: kind } });
    expect((await act(chat, 'allow', { row: body.view.blocks.at(-1).rows[0].id })).status).toBe(200);
    expect([command, await isAsked(chat, command, 'reject')]).toEqual([command, false]);
  }
  for (const command of asking) expect([command, await kindsOf(command)]).toEqual([command, []]);
  // Sends a sample through the approval gate: a call without a kind always requires approval.
  for (const command of asking.filter((_, at) => at % 12 === 0)) expect([command, await isAsked(chat, command, 'reject')]).toEqual([command, true]);
}, 30_000);
