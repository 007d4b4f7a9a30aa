// Provides the instructions and skills of trusted workspaces to the model, and reloads them after changes.
import { resolve } from 'node:path';
import { realPathIfThere } from '#lib/files';
import { BoundedMap } from '#lib/values';
import { isWithin, wayFrom } from '#lib/paths';
import type { Prompt, ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { RunTool, ToolOutcome } from 'agent-harness/plugins/tools';
import type { Trust, TrustFinding } from 'agent-harness/plugins/trust';
import type { AddedSkill, AddedSkills } from './added-skills.ts';
import { describeFiles } from './describe-files.ts';
import type { Skill } from './parse-skill.ts';
import { describeNested, describeRoot, describeSkills } from './sections.ts';
import { listSkillFiles } from './skill-files.ts';
import { isCurrent, takeSnapshot, type Snapshot } from './snapshot.ts';
import { subjectName } from './subject-name.ts';

export interface WorkspaceSkills {
  find(workspaceRoot: string): Promise<TrustFinding | undefined>;
  addTo(prompt: Prompt, turn: Turn): Promise<Prompt | undefined>;
  /** Records the folders of the files that a call names. */
  recordCall(call: ToolCall): Promise<undefined>;
  readonly useSkill: RunTool;
  /** Returns the skills of a trusted workspace. */
  list(workspaceRoot: string): Promise<Snapshot['skills']>;
}

const key = 'skills';
/** Any skill; `root` is set for a skill outside the workspace. */
type AnySkill = Skill & Partial<Pick<AddedSkill, 'root'>>;

/** Maximum number of cached workspaces. */
const maxWorkspaces = 20;

export function createWorkspaceSkills(trust: () => Trust | undefined, added: Pick<AddedSkills, 'list'>): WorkspaceSkills {
  const known = new BoundedMap<string, Promise<Snapshot>>(maxWorkspaces);

  /** Returns the same snapshot while the files are unchanged. Without `anew`, new files in subfolders are not found. */
  async function snapshotOf(workspaceRoot: string, how: 'quick' | 'whole' | 'anew'): Promise<Snapshot> {
    const root = realPathIfThere(workspaceRoot);
    const last = how === 'anew' ? undefined : known.get(root);
    if (last && how !== 'anew' && isCurrent(await last, how)) return last;
    const taken = takeSnapshot(root);
    known.set(root, taken);
    return taken;
  }

  async function trustedSnapshot(workspaceRoot: string, how: 'quick' | 'whole'): Promise<Snapshot | undefined> {
    const judge = trust();
    if (!judge) return undefined;
    const snapshot = await snapshotOf(workspaceRoot, how);
    const { digest } = snapshot;
    return digest !== undefined && (await judge.isTrusted(workspaceRoot, subjectName, digest)) ? snapshot : undefined;
  }

  return {
    async find(workspaceRoot) {
      const snapshot = await snapshotOf(workspaceRoot, 'anew');
      const { digest, files } = snapshot;
      if (digest === undefined) return undefined;
      const title = files.length === 1 ? '1 file with instructions' : `${files.length} files with instructions`;
      return { title, detail: describeFiles(snapshot), digest };
    },

    async addTo(prompt, turn) {
      const snapshot = await trustedSnapshot(turn.workspaceRoot, turn.round <= 1 ? 'whole' : 'quick');
      const others = await added.list();
      if (!snapshot && others.length === 0) return undefined;
      const instructions = snapshot?.instructions ?? new Map<string, string>();
      const main = describeRoot(instructions.get(''));
      const nested = describeNested(instructions, foldersOf(turn), main.bytesLeft);
      const sections = [...main.sections, ...describeSkills(allSkills(snapshot, others))];
      if (sections.length === 0 && nested === undefined) return undefined;
      // Instructions of accessed folders go to the end; otherwise, each accessed folder would change the prefix of the prompt.
      const tail = nested === undefined ? prompt.tail : [...prompt.tail, { role: 'system' as const, ...nested }];
      return { ...prompt, system: [...prompt.system, ...sections], tail };
    },

    async recordCall({ args, turn }) {
      const { path } = args;
      if (typeof path !== 'string' || path.includes('\0')) return undefined;
      const full = resolve(turn.workspaceRoot, path);
      const way = wayFrom(turn.workspaceRoot, full);
      if (way === '' || !isWithin(turn.workspaceRoot, full)) return undefined;
      const folders = foldersOf(turn);
      const parts = way.split('/');
      // The path may itself be a folder; if it is a file, nothing is found inside it.
      for (let count = 1; count <= parts.length && folders.size < 1_000; count++) folders.add(parts.slice(0, count).join('/'));
      turn.notes.set(key, folders);
      return undefined;
    },

    list: async (workspaceRoot) => (await trustedSnapshot(workspaceRoot, 'whole'))?.skills ?? [],

    async useSkill({ name, file }: { readonly name: string; readonly file?: string }, { workspaceRoot }) {
      const snapshot = await trustedSnapshot(workspaceRoot, 'whole');
      const skills = allSkills(snapshot, await added.list());
      if (skills.length === 0) {
        return { ok: false, error: 'This workspace has no trusted skills.', hint: 'The user can trust the workspace with /trust.' };
      }
      const skill = skills.find((one) => one.name === name) ?? skills.find((one) => one.name.toLowerCase() === name.trim().toLowerCase());
      if (!skill) {
        const faults = snapshot === undefined || snapshot.faults.length === 0 ? '' : ` Skipped: ${snapshot.faults.slice(0, 20).join(' ')}`;
        return { ok: false, error: `Unknown skill ${name}.`, hint: `Skills: ${skills.map((one) => one.name).join(', ')}.${faults}` };
      }
      if (file !== undefined) return giveFile(skill, file);
      const { root } = skill;
      const files = await listSkillFiles(root?.root ?? snapshot?.root ?? workspaceRoot, skill.folder);
      const reader = root ? 'use_skill and file' : 'read_file';
      const list =
        files.length === 0 ? 'It has no other files.' : `Its other files, to be read with ${reader} if needed:\n${files.map((one) => `- ${one}`).join('\n')}`;
      return { ok: true, output: `${skill.text.trim()}\n\n[Skill ${skill.name} in ${root ? `${root.root}/` : ''}${skill.folder}. ${list}]` };
    },
  };
}

/** Returns all skills; a workspace's own skill takes precedence over another one with the same name. */
function allSkills(snapshot: Snapshot | undefined, others: readonly AddedSkill[]): AnySkill[] {
  const own: readonly AnySkill[] = snapshot?.skills ?? [];
  return [...own, ...others.filter((other, at) => ![...own, ...others.slice(0, at)].some(({ name }) => name === other.name))];
}

async function giveFile(skill: AnySkill, file: string): Promise<ToolOutcome> {
  const { root } = skill;
  if (!root) return { ok: false, error: "This skill's files are in the workspace.", hint: 'Read it with read_file.' };
  const { readSkillFile } = await import('./added-skills.ts');
  const read = await readSkillFile(root, skill.folder, file);
  if (!read) return { ok: false, error: `The skill ${skill.name} has no file ${file}.`, hint: 'Use a name listed with the skill.' };
  return 'fault' in read ? { ok: false, error: read.fault } : { ok: true, output: read.text };
}

function foldersOf(turn: Turn): Set<string> {
  return (turn.notes.get(key) as Set<string> | undefined) ?? new Set();
}
