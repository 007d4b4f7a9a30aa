// Tracks the active prompt templates: checks their files before commands are listed or run, and reloads changed files.
import { join } from 'node:path';
import { stringify } from 'yaml';
import { createSerialQueue } from '#lib/async';
import type { CommandFile } from '#lib/command-file';
import { realPathIfThere } from '#lib/files';
import { readFrontMatter } from '#lib/front-matter';
import { showHidden } from '#lib/hidden-text';
import { textStart } from '#lib/text';
import { BoundedMap } from '#lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Trust, TrustFinding } from 'agent-harness/plugins/trust';
import { subjectName } from './subject-name.ts';
import { isCurrent, readTemplateFolder, type TemplateFolder } from './template-folder.ts';

/** A template that the user wrote. */
export interface WrittenTemplate {
  readonly description?: string;
  readonly argumentHint?: string;
  readonly text: string;
  /** Previous name of a renamed template. */
  readonly from?: string;
  readonly isNew?: boolean;
}

export interface LiveTemplates {
  own(): Promise<TemplateFolder>;
  /** Returns the templates of a trusted workspace; `undefined` if it is not trusted. */
  trusted(workspaceRoot: string): Promise<TemplateFolder | undefined>;
  find(workspaceRoot: string): Promise<TrustFinding | undefined>;
  /** Writes one of the user's templates; keeps unknown fields in its front matter. */
  write(name: string, written: WrittenTemplate): Promise<'done' | 'exists' | 'missing'>;
  /** Deletes a template. Resolves with whether it existed. */
  remove(name: string): Promise<boolean>;
}

export interface LiveTemplateParts {
  readonly home: string;
  readonly storage: Storage;
  trust(): Trust | undefined;
}

const ownFolder = 'prompts';
const workspaceFolder = '.agents/prompts';
const mostWorkspaces = 20;
/** Maximum total length of the texts in the trust request, in UTF-16 code units. */
const mostDetail = 24_000;

export function createLiveTemplates({ home, storage, trust }: LiveTemplateParts): LiveTemplates {
  const queue = createSerialQueue();
  const known = new BoundedMap<string, TemplateFolder>(mostWorkspaces);

  async function read(root: string, folder: string): Promise<TemplateFolder> {
    const last = known.get(join(root, folder));
    if (last && isCurrent(last, folder)) return last;
    const taken = await readTemplateFolder(root, folder);
    known.set(join(root, folder), taken);
    return taken;
  }

  const ownNow = (): Promise<TemplateFolder> => read(home, ownFolder);
  const ofWorkspace = (workspaceRoot: string): Promise<TemplateFolder> => read(realPathIfThere(workspaceRoot), workspaceFolder);

  async function put(name: string, { from = name, isNew = false, ...written }: WrittenTemplate): Promise<'done' | 'exists' | 'missing'> {
    const { templates } = await ownNow();
    const find = (wanted: string): CommandFile | undefined => templates.find((one) => one.name === wanted);
    const before = isNew ? undefined : find(from);
    if ((isNew || from !== name) && find(name)) return 'exists';
    if (!isNew && !before) return 'missing';
    const old = before && (await storage.readText(join(home, before.path)));
    const path = before && from === name ? before.path : `${ownFolder}/${name}.md`;
    await storage.writeFile(join(home, path), fileOf(written, old));
    if (before && before.path !== path) await storage.remove(join(home, before.path));
    known.delete(join(home, ownFolder));
    return 'done';
  }

  return {
    own: () => queue.run(ownNow),
    trusted: (workspaceRoot) =>
      queue.run(async () => {
        const folder = await ofWorkspace(workspaceRoot);
        const { digest } = folder;
        return digest !== undefined && (await trust()?.isTrusted(workspaceRoot, subjectName, digest)) === true ? folder : undefined;
      }),
    find: (workspaceRoot) =>
      queue.run(async () => {
        const { digest, templates, files, root, leftOut } = await ofWorkspace(workspaceRoot);
        if (digest === undefined) return undefined;
        const texts = templates.map(({ name, text }) => `/${name} sends to the model:\n${text.replace(/^/gm, '  ')}`);
        const whole = showHidden([...texts, ...leftOut.map((why) => `left out: ${why}`)].join('\n\n'));
        return {
          title: templates.length === 1 ? '1 prompt template' : `${templates.length} prompt templates`,
          detail:
            whole.length <= mostDetail ? whole : `${textStart(whole, mostDetail)}\n[… ${whole.length - mostDetail} more characters; read the files themselves]`,
          digest,
          files: files.map(({ path }) => join(root, path)),
        };
      }),
    write: (name, written) => queue.run(() => put(name, written)),
    remove: (name) =>
      queue.run(async () => {
        const found = (await ownNow()).templates.find((one) => one.name === name);
        if (!found) return false;
        await storage.remove(join(home, found.path));
        known.delete(join(home, ownFolder));
        return true;
      }),
  };
}

/** @param before previous content of the file */
function fileOf({ description = '', argumentHint = '', text }: WrittenTemplate, before = ''): string {
  const read = readFrontMatter(before.replaceAll('\r\n', '\n'));
  const { description: _, 'argument-hint': __, ...others } = typeof read === 'string' ? {} : (read.fields as Record<string, unknown>);
  const fields = {
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(argumentHint.trim() === '' ? {} : { 'argument-hint': argumentHint.trim() }),
    ...others,
  };
  const front = Object.keys(fields).length === 0 ? '' : `---\n${stringify(fields)}---\n\n`;
  return `${front}${text.trim()}\n`;
}
