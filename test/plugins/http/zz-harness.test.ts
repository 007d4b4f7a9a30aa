import { expect, test } from 'vitest';
import { startHarness } from '../../helpers/harness.ts';
test('harness', async () => {
  const h = await startHarness({});
  console.log(h.report.plugins.map((p) => `${p.name} ${p.state} ${p.reason ?? ''} ${p.bootMs.toFixed(1)}`).join('\n'), h.report.warnings);
  const answer = await h.call('GET', '/api/openapi.json');
  expect(answer.status).toBe(200);
  console.log(Object.keys(answer.body.paths).join(' '));
  console.log(h.logs.filter((l) => !l.startsWith('debug')).slice(0, 20));
  expect(await h.close()).toEqual([]);
});
