// A picture for each kind of tool.
import {
  Archive,
  Brain,
  FilePen,
  FilePlus,
  FileText,
  FolderOpen,
  Globe,
  ListTree,
  MessageCircleQuestion,
  Search,
  SquareTerminal,
  Wrench,
  type LucideIcon,
} from 'lucide-react';

const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^read_artifact$/, Archive],
  [/^ask_/, MessageCircleQuestion],
  [/^write_/, FilePlus],
  [/^edit_/, FilePen],
  [/^list_dir/, FolderOpen],
  [/^(find|grep)_|search/, Search],
  [/^(run_command|command_|stop_command|list_commands)/, SquareTerminal],
  [/^(web|browser)_/, Globe],
  [/^(remember|recall|forget)/, Brain],
  [/^spawn_/, ListTree],
  [/^read_/, FileText],
];

export function ToolIcon({ name }: { readonly name: string }) {
  const Icon = icons.find(([pattern]) => pattern.test(name))?.[1] ?? Wrench;
  return <Icon className="tool-card-icon" size={16} aria-hidden />;
}
