// Maps the names of the file tools to their implementations.
import type { RunTool, ToolContext } from 'agent-harness/plugins/tools';
import { findFiles } from './search/find-files.ts';
import { grepFiles } from './search/grep-files.ts';
import type { CopyAttachmentArgs, EditFileArgs, FindFilesArgs, GrepFilesArgs, ListDirArgs, ReadFileArgs, WriteFileArgs } from './inputs.ts';
import { listDir } from './search/list-dir.ts';
import type { FilePorts } from './ports.ts';
import { readFile } from './reading/read-file.ts';
import { createWriteTools } from './writing/write-tools.ts';

export function createFileTools(ports: FilePorts): Readonly<Record<string, RunTool>> {
  const writing = createWriteTools(ports);
  return {
    read_file: (args: ReadFileArgs, context: ToolContext) => readFile(args, context, ports),
    write_file: (args: WriteFileArgs, context: ToolContext) => writing.write(args, context),
    copy_attachment: (args: CopyAttachmentArgs, context: ToolContext) => writing.copy(args, context),
    edit_file: (args: EditFileArgs, context: ToolContext) => writing.edit(args, context),
    list_dir: (args: ListDirArgs, context: ToolContext) => listDir(args, context, ports),
    find_files: (args: FindFilesArgs, context: ToolContext) => findFiles(args, context, ports),
    grep_files: (args: GrepFilesArgs, context: ToolContext) => grepFiles(args, context, ports),
  };
}
