// Defines the descriptors of the file tools; their code is imported on first use.
import type { Tool, ToolFamily } from 'agent-harness/plugins/tools';
import { copyAttachmentInput, editFileInput, findFilesInput, grepFilesInput, listDirInput, readFileInput, writeFileInput } from './inputs.ts';
import type { EditFileArgs, WriteFileArgs } from './inputs.ts';
import type { FilePorts } from './ports.ts';

type Descriptor = ToolFamily['tools'][number];
type Place = Parameters<Exclude<Tool['preview'], undefined>>[1];

const readFile = {
  name: 'read_file',
  traits: ['reads_attachments'],
  display: { icon: 'file', verb: 'read', subject: readSubject },
  description: 'Reads a text file with line numbers, a PDF or notebook as text, or an image. Long files are paged.',
  input: readFileInput,
} as const satisfies Partial<Descriptor>;

const searching = [
  {
    name: 'list_dir',
    display: { icon: 'folder', verb: 'list', subject: pathSubject },
    description: 'Lists a folder, except files ignored by .gitignore.',
    input: listDirInput,
  },
  {
    name: 'find_files',
    display: { icon: 'search', verb: 'find', subject: searchSubject },
    description: 'Finds files by a glob, except those ignored by .gitignore.',
    input: findFilesInput,
  },
  {
    name: 'grep_files',
    display: { icon: 'search', verb: 'search', subject: searchSubject },
    description: 'Searches lines of text files, except those ignored by .gitignore.',
    input: grepFilesInput,
  },
] as const satisfies readonly Partial<Descriptor>[];

export function filesFamily(ports: FilePorts): ToolFamily {
  const readRule = async (args: { path?: string }, place: Place): Promise<string | undefined> => {
    ports.heldTexts.decide(place);
    return (await import('./approval.ts')).whyReadingAsks(args.path ?? '.', place, ports);
  };
  const writeRule = async (args: { path: string }, place: Place): Promise<string | undefined> => {
    ports.heldTexts.decide(place);
    return (await import('./approval.ts')).whyWritingAsks(args.path, place, ports);
  };

  const reading = {
    effects: ['read'],
    readsWorkspace: true,
    undo: 'none',
    replay: 'pure',
    isEveryday: true,
    needsApproval: readRule,
  } as const satisfies Partial<Descriptor>;
  const writing = {
    effects: ['write'],
    undo: ports.hasUndo ? 'checkpoint' : 'none',
    replay: 'idempotent',
    isEveryday: true,
    needsApproval: writeRule,
  } as const satisfies Partial<Descriptor>;

  let code: ReturnType<ToolFamily['load']> | undefined;
  return {
    name: 'files',
    description: 'Read, search, write and edit files in the workspace.',
    tools: [
      { ...reading, ...readFile },
      {
        ...writing,
        name: 'write_file',
        display: { icon: 'file-add', verb: 'write', subject: pathSubject },
        description: 'Writes or appends to a whole file. Use edit_file to change part of one.',
        input: writeFileInput,
        compose: { path: 'path', content: 'content' },
        // A repeated call is harmless only if it appends nothing.
        replay: 'ask',
        preview: async (args: WriteFileArgs, place) => (await import('./writing/preview.ts')).previewWrite(args, place, ports),
      },
      {
        ...writing,
        // The result contains the lines around the edit.
        readsWorkspace: true,
        name: 'edit_file',
        display: { icon: 'file-edit', verb: 'edit', subject: pathSubject },
        description: 'Edits a file by text replacements or a patch. Returns the diff.',
        input: editFileInput,
        compose: { path: 'path', content: ['edits.replace', 'patch'] },
        preview: async (args: EditFileArgs, place) => (await import('./writing/preview.ts')).previewEdit(args, place, ports),
      },
      {
        ...writing,
        isEveryday: false,
        name: 'copy_attachment',
        traits: ['copies_attachments'],
        display: { icon: 'file-add', subject: pathSubject },
        description: 'Copies a message attachment into the workspace.',
        input: copyAttachmentInput,
      },
      ...searching.map((tool) => ({ ...reading, ...tool })),
    ],
    // One instance for all tools, so that writers of the same file wait for each other.
    load: () => (code ??= import('./file-tools.ts').then(({ createFileTools }) => createFileTools(ports))),
  };
}

function pathSubject({ path = '.' }: { readonly path?: string }): string {
  return path;
}

function searchSubject({ pattern, path }: { readonly pattern: string; readonly path?: string }): string {
  return path === undefined || path === '' ? pattern : `${pattern} in ${path}`;
}

function readSubject({ path, offset, limit }: { readonly path: string; readonly offset?: number; readonly limit?: number }): string {
  if (offset === undefined) return limit === undefined ? path : `${path}, first ${limit} lines`;
  return limit === undefined ? `${path}, from line ${offset}` : `${path}, lines ${offset}–${offset + limit - 1}`;
}
