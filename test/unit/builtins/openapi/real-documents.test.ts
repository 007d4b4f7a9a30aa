import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, expect, test } from 'vitest';
import { connect, fixture, run, startApi, startOpenapi } from './local-api.ts';
import { questions } from './questions.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const replies: Record<string, Awaited<ReturnType<typeof connect>>> = {};

const api = useAll(() => startApi());
const harness = useAll(() => startOpenapi());
beforeAll(async () => {
  const specs = await startApi(
    ({ url }, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fixture(url === '/github' ? 'github' : 'kubernetes'))),
  );
  for (const name of ['github', 'kubernetes']) {
    replies[name] = await connect(harness, { name, specUrl: `${specs.url}/${name}`, baseUrl: api.url, auth: { kind: 'bearer', token: 'secret-token' } });
  }
});

const toolsOf = (name: string) =>
  harness.kernel
    .resolve('tools')
    .list()
    .filter((tool) => tool.plugin === 'openapi' && tool.name.startsWith(`${name}_`));

test.each([
  ['github', 1_223],
  ['kubernetes', 845],
])('creates a tool with a unique name and a valid schema for every operation of %s', (name, count) => {
  expect(replies[name]?.status).toBe(200);
  expect(replies[name]?.body).toMatchObject({ ok: true, toolCount: count });
  expect(replies[name]?.body.tools).toHaveLength(200);
  const tools = toolsOf(name);
  expect(tools).toHaveLength(count + 2);
  expect(new Set(tools.map((tool) => tool.name)).size).toBe(count + 2);
  expect(tools.filter((tool) => !/^[a-z][a-z0-9_]{0,63}$/.test(tool.name))).toEqual([]);

  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  let largest = 0;
  for (const tool of tools) {
    const input = harness.kernel.resolve('tools').find(tool.name)?.input as object;
    expect(() => ajv.compile(input), tool.name).not.toThrow();
    largest = Math.max(largest, JSON.stringify(input).length);
  }
  expect(largest).toBeLessThan(16_000);
});

test.each([
  ['github', 'create an issue', 'github_issues_create'],
  ['github', 'list pull requests of a repository', 'github_pulls_list'],
  ['github', 'star a repository', 'github_activity_star_repo_for_authenticated_user'],
  ['github', 'search code', 'github_search_code'],
  ['github', 'merge pull request', 'github_pulls_merge'],
  ['github', 'rerun failed jobs of a workflow run', 'github_actions_re_run_workflow_failed_jobs'],
  ['kubernetes', 'list pods in a namespace', 'kubernetes_list_core_v1_namespaced_pod'],
  ['kubernetes', 'create deployment', 'kubernetes_create_apps_v1_namespaced_deployment'],
  ['kubernetes', 'read log of pod', 'kubernetes_read_core_v1_namespaced_pod_log'],
  ['kubernetes', 'delete a config map', 'kubernetes_delete_core_v1_namespaced_config_map'],
])('finds the %s operation for "%s"', async (name, query, wanted) => {
  const outcome = await run(harness, `${name}_find_operations`, { query });
  expect(outcome.ok && outcome.output).toContain(`- ${wanted}(`);
});

test('finds the operation for at least 31 of 32 plain questions, and for 26 as the first result', async () => {
  const places: number[] = [];
  for (const [question, ...answers] of questions) {
    const outcome = await run(harness, 'github_find_operations', { query: question });
    const operations = outcome.ok ? [...outcome.output.matchAll(/^- github_(\w+)\(/gm)].map(([, name]) => name ?? '') : [];
    places.push(operations.findIndex((name) => answers.includes(name)));
  }
  expect(questions).toHaveLength(32);
  expect(places.filter((place) => place >= 0).length).toBeGreaterThanOrEqual(31);
  expect(places.filter((place) => place === 0).length).toBeGreaterThanOrEqual(26);
});

test('includes arguments in search results within the size limit, and all arguments for an exact name', async () => {
  const found = await run(harness, 'github_find_operations', { query: 'create an issue' });
  expect(found.ok && found.output).toMatch(/Call one with github_call_operation\..*\n- github_issues_create\(.*\n {2}arguments: \{"type":"object".*"labels"/);
  expect(found.ok && found.output.length).toBeLessThan(16_000);
  const named = await run(harness, 'github_find_operations', { query: 'github_pulls_merge' });
  expect(named.ok && named.output).toMatch(/^The operation\.[^\n]*\n- github_pulls_merge\([^\n]*\n {2}arguments: [^\n]*"merge_method"[^\n]*$/);
});

test('sends GitHub and Kubernetes calls with path, query, body and credentials', async () => {
  const created = await run(harness, 'github_issues_create', { owner: 'me', repo: 'it', body: { title: 'Broken', labels: ['bug'] } });
  expect(created).toEqual({ ok: true, output: '{\n  "ok": true\n}', isUntrusted: true });
  await run(harness, 'kubernetes_list_core_v1_namespaced_pod', { namespace: 'default', labelSelector: 'app=web', limit: 5 });
  expect(api.asked.map(({ method, url, body, headers }) => [method, url, body, headers.authorization])).toEqual([
    ['POST', '/repos/me/it/issues', '{"title":"Broken","labels":["bug"]}', 'Bearer secret-token'],
    ['GET', '/api/v1/namespaces/default/pods?labelSelector=app%3Dweb&limit=5', '', 'Bearer secret-token'],
  ]);
});
