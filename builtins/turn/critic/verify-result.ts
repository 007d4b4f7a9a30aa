// Verifies a result: first by automatic checks, then by a model's review.
import { countWithNoun } from '#lib/text';
import type { Models } from 'agent-harness/plugins/models';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { askCritic } from './ask-critic.ts';
import { checkClaims } from './check-claims.ts';
import type { EvidenceStore } from './evidence.ts';
import { readClaims, type Claims } from './read-claims.ts';

export interface CriticParts {
  readonly models: Models;
  readonly evidence: EvidenceStore;
  readonly home: string;
  /** Returns whether the model receives excerpts of tool output, according to the current setting. */
  showsEvidence(): boolean;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
}

export interface Verification {
  readonly ok: boolean;
  readonly problems: readonly string[];
  /** Number of files and quotes that were checked. */
  readonly lookedUp: number;
  /** Whether the model returned a verdict. */
  readonly hasOpinion: boolean;
}

export interface VerifyArgs {
  readonly claim: string;
  readonly paths?: readonly string[];
}

type Subject = Pick<ToolContext, 'chatId' | 'turnId' | 'workspaceRoot' | 'signal'>;

const maxProblems = 12;

/** Verifies a text. Contract: never rejects because of the text. */
export async function verify(text: string, claims: Claims, subject: Subject, parts: CriticParts): Promise<Verification> {
  const { chatId, turnId, workspaceRoot } = subject;
  const evidence = parts.evidence.of(turnId);
  const excerpts = evidence?.excerpts ?? [];
  const shown = excerpts.filter((one) => one.ok).flatMap((one) => [one.text, one.args]);
  const checked = await checkClaims(claims, { workspaceRoot, home: parts.home, shown });
  const question = { chatId, turnId, request: evidence?.request ?? '', answer: text, found: checked.problems };
  const opinion = await askCritic(parts.models, parts.showsEvidence() ? { ...question, excerpts } : question, [subject.signal, parts.signal]);
  const problems = [...checked.problems, ...(opinion?.problems ?? [])].slice(0, maxProblems);
  return { ok: problems.length === 0, problems, lookedUp: checked.paths + checked.snippets, hasOpinion: opinion !== undefined };
}

export function createVerifyResult(parts: CriticParts): (args: VerifyArgs, context: ToolContext) => Promise<ToolOutcome> {
  return async ({ claim, paths = [] }, context) => {
    const claims = readClaims(claim);
    const named = [...new Set([...paths.map((path) => path.replace(/^\.\//, '')), ...claims.paths])];
    const result = await verify(claim, { ...claims, paths: named }, context, parts);
    const isUntrusted = parts.evidence.of(context.turnId)?.isUntrusted === true;
    return { ok: true, output: describe(result), ...(isUntrusted ? { isUntrusted } : {}) };
  };
}

function describe({ ok, problems, lookedUp, hasOpinion }: Verification): string {
  const looked = `${countWithNoun(lookedUp, 'file or quote was', 'files and quotes were')} looked up; ${hasOpinion ? 'a model reviewed the claim' : 'no model reviewed it'}.`;
  return ok ? `No problems found: ${looked}` : `Problems:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n(${looked})`;
}
