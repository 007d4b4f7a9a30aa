// Implements `/dream`: starts a run, lists reports, and undoes a run.
import type { Dreams } from './open-dreams.ts';
import { describeRun, describeRuns } from './report.ts';
import { shownRun } from './schemas.ts';

export async function dreamCommand(dreams: Dreams, args: string, signal: AbortSignal): Promise<string> {
  const [word = '', runId] = args.split(/\s+/);
  if (word === 'run') {
    const made = await dreams.dream('person', signal);
    return 'gate' in made ? made.why : describeRun(shownRun(made));
  }
  if (word === 'undo') return describeRun(shownRun(await dreams.undo(runId)));
  const runs = await dreams.files.runs();
  if (word === 'report') {
    const run = runId === undefined ? runs[0] : runs.find((one) => one.runId === runId);
    return run ? describeRun(shownRun(run)) : 'The run was not found. /dream lists the runs.';
  }
  if (word !== '') return 'Unknown arguments. Usage: /dream, /dream run, /dream report [run], /dream undo [run]';
  const { why } = await dreams.status();
  return [
    why,
    ...(runs.length === 0 ? ['There are no dream runs yet.'] : [describeRuns(runs.map(shownRun)), '/dream report shows a run, /dream undo undoes it.']),
  ].join('\n');
}
