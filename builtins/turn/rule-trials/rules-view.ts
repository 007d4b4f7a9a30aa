// The rules of a folder as a view: those that hold, those that would have spared questions, and the way to try one.
import { sha256 } from 'agent-harness/lib/hash';
import { oneLine } from 'agent-harness/lib/text';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Approvals, RememberedRule } from 'agent-harness/plugins/policy';
import type { Tools } from 'agent-harness/plugins/tools';
import type { Block, View, ViewContribution } from 'agent-harness/plugins/views';
import { mostQuestions, type Answer, type AskedQuestion, type AskedQuestions } from './asked-questions.ts';
import { propose, tryAll, type Judged, type Trial } from './trial.ts';

export interface RulesViewParts {
  readonly asked: AskedQuestions;
  readonly rules: Approvals['rules'];
  readonly chats: Pick<Chats, 'peek'>;
  readonly tools: Pick<Tools, 'find'>;
  /** @param what as the person wrote it */
  unknownRule(what: string): Error;
}

interface Place {
  readonly chatId: string;
  readonly workspaceRoot: string;
}

interface Tried {
  readonly questions: readonly Judged[];
  readonly trials: ReadonlyMap<string, Trial>;
  readonly held: readonly RememberedRule[];
  readonly proposed: readonly Trial[];
}

const shownQuestions = 50;
/** Rules that a person asked about stay in the list, so that they can be had from there. */
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
    const held = (await rules.list({ chatId, workspaceRoot })).filter(({ scope }) => scope === 'workspace');
    const keys = new Set(held.map(({ key }) => key));
    const alsoWanted = (wanted.get(workspaceRoot) ?? []).flatMap((key) => trials.get(key) ?? []);
    const all = new Map([...propose(trials, keys), ...alsoWanted].map((trial) => [trial.key, trial]));
    return { questions, trials, held, proposed: [...all.values()].filter(({ key }) => !keys.has(key)) };
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
      const trial = action === 'try' ? findTrial(tried, String(input['rule'])) : trialOfRow(tried, rule, row);
      if (!trial) throw unknownRule(oneLine(rule?.subject ?? String(input['rule'] ?? row), 120));
      if (action !== 'allow') {
        want(place.workspaceRoot, trial.key);
        return details(
          trial,
          tried.questions.length,
          tried.held.some(({ key }) => key === trial.key),
        );
      }
      await rules.allow(place.workspaceRoot, trial.tool, trial);
      return { message: `From now on always ${trial.subject} in this folder.` };
    },
  };
}

function trialOfRow({ trials, proposed }: Tried, rule: RememberedRule | undefined, row: string | undefined): Trial | undefined {
  return rule ? trials.get(rule.key) : proposed.find(({ key }) => idOf(key) === row);
}

/** As a person writes it: without the sign for the rest, and perhaps with the word that rules begin with. */
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

const idOf = (key: string): string => sha256(key).slice(0, 12);

const showAction = { id: 'show', label: 'What it lets through' } as const;

function overview({ questions, held, proposed }: Tried): View {
  return {
    title: 'Rules of this folder',
    blocks: [
      { kind: 'text', text: summary(questions) },
      {
        kind: 'table',
        title: 'Let through without asking',
        columns: [{ title: 'Always' }, { title: 'Answered since', kind: 'number' }, { title: 'Last', kind: 'time' }],
        rows: held.map(({ id, subject, answered, lastAt }) => ({ id, cells: [subject, answered, lastAt ?? null] })),
        rowActions: [showAction, { id: 'remove', label: 'Take back' }],
      },
      {
        kind: 'table',
        title: 'Would have spared you questions',
        columns: [{ title: 'Always' }, { title: 'Spared', kind: 'number' }, { title: 'Against you', kind: 'number' }],
        rows: proposed.map(({ key, subject, spared, against }) => ({ id: idOf(key), cells: [subject, spared.length, against.length] })),
        rowActions: [
          showAction,
          { id: 'allow', label: 'Let through', confirm: 'Let such calls through in this folder from now on, without asking? You can take it back here.' },
        ],
      },
      { kind: 'form', title: 'Try another rule on what was asked', action: 'try' },
    ],
    actions: [
      {
        id: 'try',
        label: 'Try',
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

/** What it would have let through, what the person did not approve first. */
function details(trial: Trial, total: number, isHeld: boolean): View {
  const { subject, key, spared, against, unanswered, stillAsked } = trial;
  const answered = spared.length + against.length + unanswered.length;
  const list = (title: string, questions: readonly Judged[]): Block[] =>
    questions.length === 0 ? [] : [{ kind: 'list', title: `${title} (${questions.length})`, items: questions.slice(0, shownQuestions).map(itemOf) }];
  return {
    title: `Always ${subject}`,
    blocks: [
      {
        kind: 'text',
        text: `This rule would have answered ${answered} of your last ${total} questions in this folder${
          against.length === 0 ? ', and let through nothing that you did not approve.' : `, and let through ${against.length} that you did not approve.`
        }`,
      },
      ...list('You did not approve', against),
      ...list('Nobody answered', unanswered),
      ...list('Asked all the same', stillAsked),
      ...list('You approved', spared),
      ...(isHeld
        ? []
        : [
            {
              kind: 'table' as const,
              columns: [{ title: 'Always' }],
              rows: [{ id: idOf(key), cells: [subject] }],
              rowActions: [
                { id: 'allow', label: 'Let through', confirm: 'Let such calls through in this folder from now on, without asking? You can take it back.' },
              ],
            },
          ]),
    ],
  };
}

function itemOf({ subjects, name, at, answer, isSparable, isAfterOutside, reason }: Judged): { readonly text: string; readonly detail: string } {
  const time = `${at.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    text: subjects[0]?.subject ?? name,
    detail: `${time}, ${answerWords[answer]}${isAfterOutside ? ', after text from outside was read' : ''}${isSparable ? '' : `. ${reason}`}`,
  };
}
