// What rules would have answered of what was asked, and which few would have spared the most.
import type { RuleSubject } from 'agent-harness/plugins/policy';
import type { AskedQuestion } from './asked-questions.ts';

/** A question with the rules that would have answered it, narrowest first. */
export interface Judged extends AskedQuestion {
  readonly subjects: readonly RuleSubject[];
}

export interface Trial extends RuleSubject {
  readonly tool: string;
  /** Approved then, and let through without a question by such a rule. */
  readonly spared: readonly Judged[];
  /** Let through by such a rule although the person rejected or changed them. */
  readonly against: readonly Judged[];
  /** Let through although nobody had answered. */
  readonly unanswered: readonly Judged[];
  /** Asked all the same, because of more than the effect of the call or after text from outside. */
  readonly stillAsked: readonly Judged[];
}

/** Fewer are no habit. */
const leastSpared = 3;
const mostProposed = 8;
/** A narrower rule that spares nearly as much is the better one. */
const nearly = 0.8;
/** One answer against a rule weighs as much as so many for it. */
const againstWeight = 10;

/**
 * Every rule that would have answered a question, by its key.
 * @param everywhere for rules of all folders: those in which such rules answer
 */
export function tryAll(questions: readonly Judged[], everywhere?: ReadonlySet<string>): Map<string, Trial> {
  const found = new Map<string, { subject: RuleSubject; tool: string; questions: Judged[] }>();
  for (const question of questions)
    for (const subject of question.subjects) {
      const one = found.get(subject.key) ?? { subject, tool: question.name, questions: [] };
      one.questions.push(question);
      found.set(subject.key, one);
    }
  return new Map([...found].map(([key, { subject, tool, questions: those }]) => [key, trialOf(subject, tool, those, everywhere)]));
}

function trialOf(subject: RuleSubject, tool: string, questions: readonly Judged[], everywhere: ReadonlySet<string> | undefined): Trial {
  const answers = ({ isSparable, isAfterOutside, workspaceRoot }: Judged): boolean =>
    isSparable && (everywhere ? !isAfterOutside && everywhere.has(workspaceRoot) : !(isAfterOutside && subject.isKind === true));
  const sparable = questions.filter(answers);
  return {
    ...subject,
    tool,
    spared: sparable.filter(({ answer }) => answer === 'approved'),
    against: sparable.filter(({ answer }) => answer === 'rejected' || answer === 'changed'),
    unanswered: sparable.filter(({ answer }) => answer === 'unanswered'),
    stillAsked: questions.filter((question) => !answers(question)),
  };
}

/**
 * The few smallest rules that would have spared the most, the best first: again and again the one that spares the most questions which no rule
 * before it spares, and in its place the narrowest that spares nearly all of those. @param held keys of rules that hold already
 */
export function propose(trials: ReadonlyMap<string, Trial>, held: ReadonlySet<string>): Trial[] {
  const all = [...trials.values()];
  const done = new Set(all.filter(({ key }) => held.has(key)).flatMap(({ spared }) => spared.map(({ approvalId }) => approvalId)));
  const proposed: Trial[] = [];
  const newIn = ({ spared }: Trial): string[] => spared.flatMap(({ approvalId }) => (done.has(approvalId) ? [] : [approvalId]));
  const worthOf = (trial: Trial): number => newIn(trial).length - againstWeight * trial.against.length;
  for (let candidates = all; proposed.length < mostProposed;) {
    candidates = candidates.filter((one) => newIn(one).length >= leastSpared && worthOf(one) > 0);
    const best = candidates.reduce<Trial | undefined>((most, one) => (most && worthOf(most) >= worthOf(one) ? most : one), undefined);
    if (!best) break;
    const ids = new Set(newIn(best));
    const chosen = candidates.find((one) => isNarrower(one, best) && newIn(one).filter((id) => ids.has(id)).length >= nearly * ids.size) ?? best;
    proposed.push(chosen);
    for (const { approvalId } of chosen.spared) done.add(approvalId);
  }
  return proposed;
}

/** In how many folders it would have spared a question. */
export const foldersOf = ({ spared }: Trial): number => new Set(spared.map(({ workspaceRoot }) => workspaceRoot)).size;

/** Of the same question it stands before the other; those found first are the narrowest. */
function isNarrower(one: Trial, other: Trial): boolean {
  return one.spared.some(({ subjects }) => {
    const [at, otherAt] = [one, other].map(({ key }) => subjects.findIndex((subject) => subject.key === key)) as [number, number];
    return at >= 0 && otherAt >= 0 && at < otherAt;
  });
}
