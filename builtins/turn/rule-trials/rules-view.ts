// Builds the view of a folder's rules: the enabled ones, those that would have avoided approvals, and a dry run.
import { sha256 } from 'agent-harness/lib/hash';
import { oneLine } from 'agent-harness/lib/text';
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
  /** @param what as typed by the user */
  unknownRule(what: string): Error;
}

interface Place {
  readonly chatId: string;
  readonly workspaceRoot: string;
}

/** Dry runs of rules, for one folder or for all. */
interface Trials {
  readonly questions: readonly Judged[];
  readonly trials: ReadonlyMap<string, Trial>;
  readonly proposed: readonly Trial[];
}

interface Tried extends Trials {
  readonly held: readonly RememberedRule[];
  /** For the chats of all folders. */
  readonly everywhere: Trials;
}

const shownQuestions = 50;
/** Rules requested by the user stay in the list, so that they can be enabled there. */
const mostWanted = 5;
const answerWords: Readonly<Record<Answer, string>> = {
  approved: 'you said yes',
  rejected: 'you said no',
  changed: 'you changed it',
  unanswered: 'nobody answered',
};

export function rulesView({ asked, rules, chats, tools, unknownRule }: RulesViewParts): Required<Pick<ViewContribution, 'read' | 'act'>> {
  /** By folder. */
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
    return { questions, trials, held, proposed, everywhere: await tryEverywhere(held) };
  }

  /** A rule for all folders must be supported by more than one of them. */
  async function tryEverywhere(held: readonly RememberedRule[]): Promise<Trials> {
    const questions = await Promise.all((await asked.in()).map(judge));
    const folders = [...new Set(questions.map(({ workspaceRoot }) => workspaceRoot))];
    const counting = await Promise.all(folders.map(async (folder) => ((await rules.holdsEverywhere(folder)) ? [folder] : [])));
    const trials = tryAll(questions, new Set(counting.flat()));
    const keys = new Set(held.flatMap(({ scope, key }) => (scope === 'everywhere' ? [key] : [])));
    const shared = new Map([...trials].filter(([, trial]) => foldersOf(trial) > 1));
    return { questions, trials, proposed: propose(shared, keys).filter(({ key }) => !keys.has(key)) };
  }

  function want(workspaceRoot: string, key: string): void {
    const others = (wanted.get(workspaceRoot) ?? []).filter((one) => one !== key);
    wanted.set(workspaceRoot, [...others, key].slice(-mostWanted));
  }

  return {
    async read({ chatId }) {
      return overview(await tryIn(await chats.peek(chatId)));
    },
    async act({ action, row, input }, { chatId }) {
      const place = await chats.peek(chatId);
      const tried = await tryIn(place);
      const rule = tried.held.find(({ id }) => id === row);
      if (action === 'remove') {
        return rule && (await rules.remove(rule.id)) ? { message: `It asks again: ${rule.subject}.` } : undefined;
      }
      const isEverywhere = action.endsWith('everywhere');
      const trial = action === 'try' ? findTrial(tried, String(input['rule'])) : trialOfRow(isEverywhere ? tried.everywhere : tried, rule, row);
      if (!trial) throw unknownRule(oneLine(rule?.subject ?? String(input['rule'] ?? row), 120));
      if (action === 'allow-everywhere') {
        await rules.allowEverywhere(trial.tool, trial);
        return { message: `From now on always ${trial.subject} in all folders that you trust.` };
      }
      if (action !== 'allow') {
        if (!isEverywhere) want(place.workspaceRoot, trial.key);
        return details(trial, tried, isEverywhere || rule?.scope === 'everywhere');
      }
      await rules.allow(place.workspaceRoot, trial.tool, trial);
      return { message: `From now on always ${trial.subject} in this folder.` };
    },
  };
}

function trialOfRow({ trials }: Trials, rule: RememberedRule | undefined, row: string | undefined): Trial | undefined {
  return rule ? trials.get(rule.key) : [...trials.values()].find(({ key }) => idOf(key) === row || idOf(key, true) === row);
}

/** As typed by the user: without the wildcard, and possibly with the word that rules begin with. */
function findTrial({ trials }: Tried, text: string): Trial | undefined {
  const plain = (words: string): string =>
    oneLine(words, 200)
      .replace(/^always /, '')
      .replace(/ in this folder$/, '')
      .replace(/ ?(?:…|\.\.\.|\*)/, ' …')
      .trim();
  const found = [...trials.values()];
  return found.find(({ subject }) => subject === plain(text)) ?? found.find(({ subject }) => subject === `${plain(text)} …`);
}

/** Row id: the same rule occurs in two tables. */
const idOf = (key: string, isEverywhere = false): string => sha256(isEverywhere ? `everywhere ${key}` : key).slice(0, 12);

const allowHere = {
  ...{ id: 'allow', label: 'Let through' },
  confirm: 'Let such calls through in this folder from now on, without asking? You can take it back here.',
} as const;
const allowEverywhere = {
  ...{ id: 'allow-everywhere', label: 'Let through everywhere' },
  confirm: 'Let such calls through in all folders that you trust from now on, without asking? You can take it back here.',
} as const;
const showAction = { id: 'show', label: 'What it lets through', changesNothing: true } as const;

function overview({ questions, held, proposed, everywhere }: Tried): View {
  return {
    title: 'Rules of this folder',
    blocks: [
      { kind: 'text', text: summary(questions) },
      {
        kind: 'table',
        title: 'Let through without asking',
        columns: [{ title: 'Always' }, { title: 'Answered since', kind: 'number' }, { title: 'Last', kind: 'time' }],
        rows: held.map(({ id, scope, subject, answered, lastAt }) => ({
          id,
          cells: [scope === 'everywhere' ? `${subject} (all folders)` : subject, answered, lastAt ?? null],
        })),
        rowActions: [showAction, { id: 'remove', label: 'Take back' }],
      },
      {
        kind: 'table',
        title: 'Would have spared you questions',
        columns: [{ title: 'Always' }, { title: 'Spared', kind: 'number' }, { title: 'Against you', kind: 'number' }],
        rows: proposed.map(({ key, subject, spared, against }) => ({ id: idOf(key), cells: [subject, spared.length, against.length] })),
        rowActions: [showAction, allowHere],
      },
      ...(everywhere.proposed.length === 0
        ? []
        : [
            {
              kind: 'table' as const,
              title: 'Would have spared you questions in all folders that you trust',
              columns: [
                { title: 'Always' },
                { title: 'Spared', kind: 'number' as const },
                { title: 'Folders', kind: 'number' as const },
                { title: 'Against you', kind: 'number' as const },
              ],
              rows: everywhere.proposed.map((trial) => ({
                id: idOf(trial.key, true),
                cells: [trial.subject, trial.spared.length, foldersOf(trial), trial.against.length],
              })),
              rowActions: [{ ...showAction, id: 'show-everywhere' }, allowEverywhere],
            },
          ]),
      { kind: 'form', title: 'Try another rule on what was asked', action: 'try' },
    ],
    actions: [
      {
        id: 'try',
        label: 'Try',
        changesNothing: true,
        input: {
          type: 'object',
          properties: { rule: { type: 'string', title: 'Always', description: 'Such as: npm run', minLength: 1, maxLength: 200 } },
          required: ['rule'],
        },
      },
    ],
  };
}

function summary(questions: readonly AskedQuestion[]): string {
  if (questions.length === 0) return 'Nothing was asked in this folder yet.';
  const count = (answer: Answer): number => questions.filter((question) => question.answer === answer).length;
  const of =
    questions.length === mostQuestions ? `the last ${mostQuestions} questions` : questions.length === 1 ? 'one question' : `${questions.length} questions`;
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
      : ` ${outside} of them came after text from outside was read, where only a rule about exactly that call answers; files of a folder are text from outside until you trust it (/trust).`;
  return `Of ${of} in this folder since ${questions.at(-1)?.at.slice(0, 10) ?? ''}: ${said.join(', ')}.${why}`;
}

/** Shows the calls it would have approved, those not approved by the user first; and whether it applies beyond one folder. */
function details(trial: Trial, tried: Tried, isEverywhere: boolean): View {
  const { subject, key, spared, against, unanswered, stillAsked } = trial;
  const other = isEverywhere ? undefined : tried.everywhere.trials.get(key);
  const elsewhere = other && foldersOf(other) > 1 ? other : undefined;
  const list = (title: string, questions: readonly Judged[]): Block[] =>
    questions.length === 0 ? [] : [{ kind: 'list', title: `${title} (${questions.length})`, items: questions.slice(0, shownQuestions).map(itemOf) }];
  const isHeld = (scope: RememberedRule['scope']): boolean => tried.held.some((rule) => rule.key === key && rule.scope === scope);
  const offer = (action: typeof allowHere | typeof allowEverywhere): Block => ({
    kind: 'table',
    columns: [{ title: 'Always' }],
    rows: [{ id: idOf(key, action === allowEverywhere), cells: [subject] }],
    rowActions: [action],
  });
  return {
    title: `Always ${subject}`,
    blocks: [
      { kind: 'text', text: answeredText(trial, isEverywhere ? tried.everywhere.questions.length : tried.questions.length, isEverywhere) },
      ...(elsewhere ? [{ kind: 'text' as const, text: answeredText(elsewhere, tried.everywhere.questions.length, true) }] : []),
      ...list('You did not approve', against),
      ...list('Nobody answered', unanswered),
      ...list('Asked all the same', stillAsked),
      ...list('You approved', spared),
      ...(isEverywhere || isHeld('workspace') || isHeld('everywhere') ? [] : [offer(allowHere)]),
      ...((isEverywhere || elsewhere) && !isHeld('everywhere') ? [offer(allowEverywhere)] : []),
    ],
  };
}

function answeredText({ spared, against, unanswered }: Trial, total: number, isEverywhere: boolean): string {
  const answered = spared.length + against.length + unanswered.length;
  const where = isEverywhere ? 'in all folders, where you trust them' : 'in this folder';
  const said = against.length === 0 ? ', and let through nothing that you did not approve.' : `, and let through ${against.length} that you did not approve.`;
  return `This rule would have answered ${answered} of your last ${total} questions ${where}${said}`;
}

function itemOf({ subjects, name, at, answer, isSparable, isAfterOutside, reason }: Judged): { readonly text: string; readonly detail: string } {
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    text: subjects[0]?.subject ?? name,
    detail: `${time}, ${answerWords[answer]}${isAfterOutside ? ', after text from outside was read' : ''}${isSparable ? '' : `. ${reason}`}`,
  };
}
