// `node test/bench/plane/policy.mjs`: how long until 100 connected members on two nodes have a new policy, and until what somebody holds open
// ends on both nodes once their role changed, in milliseconds. `--members 100`, `--rounds 20`. Targets: 2,000 and 1,000 ms.
import { setTimeout as delay } from 'node:timers/promises';
import { call, follow, numberOf, percentiles, startNodes } from './nodes.mjs';

const members = numberOf('members', 100);
const rounds = numberOf('rounds', 20);
const world = await startNodes();
try {
  const owner = await world.license('owner@example.org', 'owner');
  const token = await world.license('ann@example.org', 'member');
  const urls = world.nodes.map(({ url }) => url);
  const waiting = Array.from({ length: members }, () => ({ revision: -1 }));
  const streams = await Promise.all(
    waiting.map((member, at) =>
      follow(urls[at % 2], '/api/team/changes', token, async ({ policy }) => {
        if (policy <= member.revision) return;
        const { body } = await call(urls[at % 2], 'GET', '/api/team/policy', token);
        member.revision = Math.max(member.revision, body.revision);
        member.at = performance.now();
      }),
    ),
  );
  const took = [];
  for (let round = 0; round < rounds; round++) {
    const { body } = await call(urls[round % 2], 'GET', '/api/team/policy', owner);
    const policy = { blockedTools: [`tool_${round}`], groups: [{ name: 'Members', match: { roles: ['member'] }, forcedApprovals: ['write_*'] }] };
    const begun = performance.now();
    const put = await call(urls[round % 2], 'PUT', '/api/team/policy', owner, { base: body.revision, policy });
    for (let left = 500; left > 0 && waiting.some(({ revision }) => revision < put.body.revision); left--) await delay(10);
    took.push(...waiting.map(({ at, revision }) => (revision === put.body.revision ? at - begun : Infinity)));
  }
  for (const stream of streams) stream.close();
  const told = percentiles(took);
  process.stdout.write(`policy, ${members} members on two nodes, ${rounds} changes: p50 ${told.p50} ms, p99 ${told.p99} ms, longest ${told.max} ms\n`);

  const { body } = await call(urls[0], 'GET', '/api/team/org/members', owner);
  const { id: userId } = body.members.find(({ email }) => email === 'ann@example.org');
  const ends = [];
  for (let round = 0; round < rounds; round++) {
    const open = await Promise.all(
      ['/api/team/changes', '/api/team/bus/subscribe?workspace=w'].flatMap((path) => urls.map((url) => follow(url, path, token, () => undefined))),
    );
    const begun = performance.now();
    const changed = await call(urls[round % 2], 'PATCH', `/api/team/org/members/${userId}`, owner, { role: round % 2 ? 'member' : 'viewer' });
    if (changed.status !== 200) throw new Error(`the role was not changed: ${JSON.stringify(changed)}`);
    await Promise.all(open.map(({ ended }) => ended.then(() => ends.push(performance.now() - begun))));
  }
  const ended = percentiles(ends);
  process.stdout.write(`role changes, streams on two nodes: ${ended.count} ended, p50 ${ended.p50} ms, p99 ${ended.p99} ms, longest ${ended.max} ms\n`);
} finally {
  await world.stop();
}
process.exit();
