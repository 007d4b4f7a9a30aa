// Computes the past approvals that rules would have answered, and selects the few rules that would have avoided the most.
import type { RuleSubject } from 'agent-harness/plugins/policy';
import type { AskedQuestion } from './asked-questions.ts';

/** An approval with the rules that would have answered it, narrowest first. */
export interface Judged extends AskedQuestion {
  readonly subjects: readonly RuleSubject[];
}

export interface Trial extends RuleSubject {
  readonly tool: string;
  /** Approvals that the user granted and that the rule would have avoided. */
  readonly spared: readonly Judged[];
  /** Approvals that the user denied or changed, although the rule would have granted them. */
  readonly against: readonly Judged[];
  /** Approvals that the user did not answer, although the rule would have granted them. */
  readonly unanswered: readonly Judged[];
  /** Approvals that the rule would not avoid, because they concern more than the effect of the call or because of external content. */
  readonly stillAsked: readonly Judged[];
}

/** Minimum number of avoided approvals that indicate a habit. */
const leastSpared = 3;
const mostProposed = 8;
/** A narrower rule is preferred if it avoids at least this share of the approvals. */
const nearly = 0.8;
/** Weight of one answer against a rule, relative to one answer for it. */
const againstWeight = 10;

/**
 * Returns each rule that would have answered an approval, by key.
 * @param everywhere for rules that cover all folders: paths of the folders in which such rules apply
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
 * Selects the few narrowest rules that would have avoided the most approvals, best first. Repeatedly takes the rule that avoids the most approvals that earlier
 * rules do not cover, and replaces it with the narrowest rule that avoids nearly as many. @param held keys of enabled rules
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

/** Returns the number of folders in which the rule would have avoided an approval. */
export const foldersOf = ({ spared }: Trial): number => new Set(spared.map(({ workspaceRoot }) => workspaceRoot)).size;

/** Returns whether one rule precedes the other in an approval; the rules of an approval are listed narrowest first. */
function isNarrower(one: Trial, other: Trial): boolean {
  return one.spared.some(({ subjects }) => {
    const [at, otherAt] = [one, other].map(({ key }) => subjects.findIndex((subject) => subject.key === key)) as [number, number];
    return at >= 0 && otherAt >= 0 && at < otherAt;
  });
}
