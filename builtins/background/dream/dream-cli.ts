// Implements the CLI command `dream` with the server of this home folder, or with a temporary server.
import type { Services } from 'agent-harness/kernel';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { describeRun, describeRuns } from './report.ts';
import type { ShownRun } from './schemas.ts';

type CliServices = Pick<Services, 'http' | 'webToken'>;
interface Answer {
  readonly runs?: readonly ShownRun[];
  readonly run?: ShownRun;
  readonly next?: { readonly why: string };
  readonly error?: { readonly message: string };
}

/** Runs the command. Resolves with the exit code. */
export async function dreamCli(
  { http, webToken }: CliServices,
  [word = '', runId]: readonly string[],
  signal: AbortSignal,
  output: CliOutput,
): Promise<number> {
  const out = (text: string): void => output.out(`${text}\n`);
  const err = (text: string): void => output.err(`${text}\n`);
  if (!['', 'run', 'report', 'undo'].includes(word)) {
    err("Unknown arguments. Usage: 'dream', 'dream run', 'dream report [run id]', 'dream undo [run id]'");
    return 2;
  }
  const running = await http.running();
  const { url } = running ?? (await http.listen({ port: 0, host: '127.0.0.1' }));
  const token = await webToken.current();
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(url + path, {
      ...{ method, signal, headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) } },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await answer.json()) as Answer;
  };
  try {
    const { error, run, runs, next } = await {
      '': () => ask('GET', '/api/dreams'),
      report: () => ask('GET', '/api/dreams?limit=200'),
      run: () => ask('POST', '/api/dreams', {}),
      undo: () => ask('POST', '/api/dreams/undo', runId === undefined ? {} : { runId }),
    }[word as 'run']();
    const shown = run ?? (word === 'report' ? (runId === undefined ? runs?.[0] : runs?.find((one) => one.runId === runId)) : undefined);
    if (error) err(error.message);
    else if (shown) out(describeRun(shown));
    else if (word === 'report') err("The run was not found. 'dream' lists the runs.");
    else out([next?.why ?? '', ...(runs && runs.length > 0 ? [describeRuns(runs)] : [])].join('\n'));
    return error || (word === 'report' && !shown) ? 1 : 0;
  } finally {
    if (!running) await http.close();
  }
}
