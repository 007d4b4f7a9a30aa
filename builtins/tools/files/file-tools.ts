// The code of the file tools by name.
import type { RunTool } from 'agent-harness/plugins/tools';
import { answering } from './failure.ts';
import { findFiles } from './find-files.ts';
import { grepFiles } from './grep-files.ts';
import type { CopyAttachmentArgs, EditFileArgs, FindFilesArgs, GrepFilesArgs, ListDirArgs, ReadFileArgs, WriteFileArgs } from './inputs.ts';
import { listDir } from './list-dir.ts';
import type { FilePorts } from './ports.ts';
import { readFile } from './read-file.ts';
import { createWriteTools } from './write-tools.ts';

export function createFileTools(ports: FilePorts): Readonly<Record<string, RunTool>> {
  const writing = createWriteTools(ports);
  return {
    read_file: answering((args: ReadFileArgs, context) => readFile(args, context, ports)),
    write_file: answering((args: WriteFileArgs, context) => writing.write(args, context)),
    copy_attachment: answering((args: CopyAttachmentArgs, context) => writing.copy(args, context)),
    edit_file: answering((args: EditFileArgs, context) => writing.edit(args, context)),
    list_dir: answering((args: ListDirArgs, context) => listDir(args, context, ports)),
    find_files: answering((args: FindFilesArgs, context) => findFiles(args, context, ports)),
    grep_files: answering((args: GrepFilesArgs, context) => grepFiles(args, context, ports)),
  };
}
