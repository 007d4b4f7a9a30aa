// Builds the view of a folder's approval rules: the enabled rules, the rules that would have avoided approvals, and a dry run.
import { sha256 } from '#lib/hash';
import { oneLine } from '#lib/text';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Approvals, RememberedRule } from 'agent-harness/plugins/policy';
import type { Tools } from 'agent-harness/plugins/tools';
import type { Block, View, ViewContribution } from 'agent-harness/plugins/views';
import { mostQuestions, type Answer, type AskedQuestion, type AskedQuestions } from './asked-questions.ts';
import { foldersOf, propose, tryAll, type Judged, type Trial } from './trial.ts';

export interface RulesViewParts {
  readonly asked: AskedQuestions;
  readonly rules: Approvals['rules'];
  readonly chats: Pick<Chats, 'peek'>;
  readonly tools: Pick<Tools, 'find'>;
  /** @param what rule as the user typed it */
  unknownRule(what: string): Error;
}

type Place = Awaited<ReturnType<Chats['peek']>>;

/** Dry runs of rules for one folder, or for all folders. */
interface Trials {
  readonly isEverywhere: boolean;
  readonly questions: readonly Judged[];
  readonly trials: ReadonlyMap<string, Trial>;
  readonly proposed: readonly Trial[];
}

interface Tried {
  readonly held: readonly RememberedRule[];
  readonly here: Trials;
  readonly everywhere: Trials;
}

const shownQuestions = 50;
/** Maximum number of rules from dry runs that stay in the list, so that the user can enable them there. */
const mostWanted = 5;
const answerWords: Readonly<Record<Answer, string>> = {
  approved: 'you approved',
  rejected: 'you denied',
  changed: 'you changed the call',
  unanswered: 'nobody answered',
};

export function rulesView({ asked, rules, chats, tools, unknownRule }: RulesViewParts): Required<Pick<ViewContribution, 'read' | 'act'>> {
  /** Rules from dry runs, by folder. */
  const wanted = new Map<string, readonly string[]>();

  async function judge(question: AskedQuestion): Promise<Judged> {
    const tool = tools.find(question.name);
    return { ...question, subjects: tool ? await rules.subjectsOf({ tool, args: question.args }) : [] };
  }

  async function tryIn({ chatId, workspaceRoot }: Place): Promise<Tried> {
    const questions = await Promise.all((await asked.in(workspaceRoot)).map(judge));
    const trials = tryAll(questions);
    const held = (await rules.list({ chatId, workspaceRoot })).filter(({ scope }) => scope !== 'chat');
    const keys = new Set(held.map(({ key }) => key));
    const alsoWanted = (wanted.get(workspaceRoot) ?? []).flatMap((key) => trials.get(key) ?? []);
    const all = new Map([...propose(trials, keys), ...alsoWanted].map((trial) => [trial.key, trial]));
    const proposed = [...all.values()].filter(({ key }) => !keys.has(key));
    return { held, here: { isEverywhere: false, questions, trials, proposed }, everywhere: await tryEverywhere(held) };
  }

  /** Runs a dry run of rules for all folders; such rules require approvals in more than one folder. */
  async function tryEverywhere(held: readonly RememberedRule[]): Promise<Trials> {
    const questions = await Promise.all((await asked.in()).map(judge));
    const folders = [...new Set(questions.map(({ workspaceRoot }) => workspaceRoot))];
    const counting = await Promise.all(folders.map(async (folder) => ((await rules.holdsEverywhere(folder)) ? [folder] : [])));
    const trials = tryAll(questions, new Set(counting.flat()));
    const keys = new Set(held.flatMap(({ scope, key }) => (scope === 'everywhere' ? [key] : [])));
    const shared = new Map([...trials].filter(([, trial]) => foldersOf(trial) > 1));
    return { isEverywhere: true, questions, trials, proposed: propose(shared, keys).filter(({ key }) => !keys.has(key)) };
  }

  return {
    read: async ({ chatId }) => overview(await tryIn(await chats.peek(chatId))),
    async act({ action, row, input }, { chatId }) {
      const place = await chats.peek(chatId);
      const tried = await tryIn(place);
      const rule = tried.held.find(({ id }) => id === row);
      if (action === 'remove')
        return rule && (await rules.remove(rule.id)) ? { message: `The rule was removed. These calls need an approval again: ${rule.subject}.` } : undefined;
      const of = action.endsWith('everywhere') ? tried.everywhere : tried.here;
      const found = [...of.trials.values()];
      const ofRow = rule ? of.trials.get(rule.key) : found.find(({ key }) => row === idOf(key) || row === idOf(key, true));
      const trial = action === 'try' ? findTrial(found, String(input['rule'])) : ofRow;
      if (!trial) throw unknownRule(oneLine(rule?.subject ?? String(input['rule'] ?? row), 120));
      if (action === 'allow-everywhere') {
        await rules.allowEverywhere(trial.tool, trial);
        return { message: `Always allowed from now on in all trusted folders: ${trial.subject}.` };
      }
      if (action === 'allow') {
        await rules.allow(place.workspaceRoot, trial.tool, trial);
        return { message: `Always allowed from now on in this folder: ${trial.subject}.` };
      }
      if (!of.isEverywhere) {
        const others = (wanted.get(place.workspaceRoot) ?? []).filter((one) => one !== trial.key);
        wanted.set(place.workspaceRoot, [...others, trial.key].slice(-mostWanted));
      }
      return details(trial, tried, of.isEverywhere || rule?.scope === 'everywhere');
    },
  };
}

/** Finds a rule by text that the user typed: without the wildcard, and possibly with the word `always`. */
function findTrial(trials: readonly Trial[], text: string): Trial | undefined {
  const plain = oneLine(text, 200)
    .replace(/^always /, '')
    .replace(/ in this folder$/, '')
    .replace(/ ?(?:…|\.\.\.|\*)/, ' …')
    .trim();
  return trials.find(({ subject }) => subject === plain) ?? trials.find(({ subject }) => subject === `${plain} …`);
}

/** Returns the id of a row. It includes the scope, because the same rule occurs in two tables. */
const idOf = (key: string, isEverywhere = false): string => sha256(isEverywhere ? `everywhere ${key}` : key).slice(0, 12);

const allowHere = {
  ...{ id: 'allow', label: 'Allow' },
  confirm: 'Allow such calls in this folder without asking? You can remove the rule here.',
} as const;
const allowEverywhere = {
  ...{ id: 'allow-everywhere', label: 'Allow everywhere' },
  confirm: 'Allow such calls in all trusted folders without asking? You can remove the rule here.',
} as const;
const showAction = { id: 'show', label: 'Show allowed calls', changesNothing: true } as const;
const number = (title: string) => ({ title, kind: 'number' }) as const;

function overview({ here, held, everywhere }: Tried): View {
  const rule = { type: 'string', title: 'Always', description: 'Beginning of the command, such as: npm run', minLength: 1, maxLength: 200 } as const;
  return {
    title: 'Rules of this folder',
    blocks: [
      { kind: 'text', text: summary(here.questions) },
      {
        kind: 'table',
        title: 'Allowed without asking',
        columns: [{ title: 'Always' }, number('Approvals answered'), { title: 'Last', kind: 'time' }],
        rows: held.map(({ id, scope, subject, answered, lastAt }) => {
          return { id, cells: [scope === 'everywhere' ? `${subject} (all folders)` : subject, answered, lastAt ?? null] };
        }),
        rowActions: [showAction, { id: 'remove', label: 'Remove' }],
      },
      proposals(here),
      ...(everywhere.proposed.length === 0 ? [] : [proposals(everywhere)]),
      { kind: 'form', title: 'Try another rule on past approvals', action: 'try' },
    ],
    actions: [{ id: 'try', label: 'Try', changesNothing: true, input: { type: 'object', properties: { rule }, required: ['rule'] } }],
  };
}

function proposals({ isEverywhere, proposed }: Trials): Block {
  return {
    kind: 'table',
    title: `Rules that would have avoided approvals${isEverywhere ? ' in all trusted folders' : ''}`,
    columns: [{ title: 'Always' }, number('Avoided'), ...(isEverywhere ? [number('Folders')] : []), number('Against your decision')],
    rows: proposed.map((trial) => ({
      id: idOf(trial.key, isEverywhere),
      cells: [trial.subject, trial.spared.length, ...(isEverywhere ? [foldersOf(trial)] : []), trial.against.length],
    })),
    rowActions: isEverywhere ? [{ ...showAction, id: 'show-everywhere' }, allowEverywhere] : [showAction, allowHere],
  };
}

function summary(questions: readonly AskedQuestion[]): string {
  if (questions.length === 0) return 'There have been no approvals in this folder yet.';
  const count = (answer: Answer): number => questions.filter((question) => question.answer === answer).length;
  const of =
    questions.length === mostQuestions ? `the last ${mostQuestions} approvals` : questions.length === 1 ? 'one approval' : `${questions.length} approvals`;
  const said = [
    `${count('approved')} approved`,
    `${count('rejected')} rejected`,
    ...(count('changed') > 0 ? [`${count('changed')} changed`] : []),
    ...(count('unanswered') > 0 ? [`${count('unanswered')} not answered`] : []),
  ];
  const outside = questions.filter(({ isAfterOutside }) => isAfterOutside).length;
  const why =
    outside === 0
      ? ''
      : ` ${outside} of them followed external content, after which only a rule for exactly that call applies. Files of a folder are external content until you trust it (/trust).`;
  return `Of ${of} in this folder since ${questions.at(-1)?.at.slice(0, 10) ?? ''}: ${said.join(', ')}.${why}`;
}

/** Shows the calls that the rule would have approved, beginning with those that the user did not approve, and whether the rule applies beyond one folder. */
function details(trial: Trial, { here, held, everywhere }: Tried, isEverywhere: boolean): View {
  const { subject, key, spared, against, unanswered, stillAsked } = trial;
  const other = isEverywhere ? undefined : everywhere.trials.get(key);
  const elsewhere = other && foldersOf(other) > 1 ? other : undefined;
  const list = (title: string, questions: readonly Judged[]): Block[] =>
    questions.length === 0 ? [] : [{ kind: 'list', title: `${title} (${questions.length})`, items: questions.slice(0, shownQuestions).map(itemOf) }];
  const isHeld = (scope: RememberedRule['scope']): boolean => held.some((rule) => rule.key === key && rule.scope === scope);
  const offer = (action: typeof allowHere | typeof allowEverywhere): Block => {
    const rows = [{ id: idOf(key, action === allowEverywhere), cells: [subject] }];
    return { kind: 'table', columns: [{ title: 'Always' }], rows, rowActions: [action] };
  };
  return {
    title: `Always ${subject}`,
    blocks: [
      answeredBlock(trial, isEverywhere ? everywhere : here),
      ...(elsewhere ? [answeredBlock(elsewhere, everywhere)] : []),
      ...list('You did not approve', against),
      ...list('Unanswered', unanswered),
      ...list('Still need an approval', stillAsked),
      ...list('You approved', spared),
      ...(isEverywhere || isHeld('workspace') || isHeld('everywhere') ? [] : [offer(allowHere)]),
      ...((isEverywhere || elsewhere) && !isHeld('everywhere') ? [offer(allowEverywhere)] : []),
    ],
  };
}

function answeredBlock({ spared, against, unanswered }: Trial, { questions, isEverywhere }: Trials): Block {
  const answered = spared.length + against.length + unanswered.length;
  const where = isEverywhere ? 'in all trusted folders' : 'in this folder';
  const said = against.length === 0 ? ', and allowed nothing that you did not approve.' : `, and allowed ${against.length} that you did not approve.`;
  return { kind: 'text', text: `This rule would have answered ${answered} of your last ${questions.length} approvals ${where}${said}` };
}

function itemOf({ subjects, name, at, answer, isSparable, isAfterOutside, reason }: Judged): { readonly text: string; readonly detail: string } {
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    text: subjects[0]?.subject ?? name,
    detail: `${time}, ${answerWords[answer]}${isAfterOutside ? ', after external content' : ''}${isSparable ? '' : `. ${reason}`}`,
  };
}
