// Maps icon names to icons; renders a single character as an icon.
import {
  Archive,
  BarChart3,
  Bell,
  Brain,
  Calendar,
  CircleUser,
  Cloud,
  Database,
  FilePen,
  FilePlus,
  FileText,
  FolderOpen,
  Globe,
  ListTree,
  Mail,
  MessageCircleQuestion,
  MessageSquare,
  PanelsTopLeft,
  Plug,
  Search,
  SquareTerminal,
  Users,
  Wrench,
  type LucideIcon,
} from 'lucide-react';
import type { Icon } from './icon.ts';

/** Maps icon names, which plugins use, to icons. */
const icons = {
  archive: Archive,
  bell: Bell,
  brain: Brain,
  calendar: Calendar,
  chart: BarChart3,
  cloud: Cloud,
  database: Database,
  file: FileText,
  'file-add': FilePlus,
  'file-edit': FilePen,
  folder: FolderOpen,
  globe: Globe,
  list: ListTree,
  mail: Mail,
  message: MessageSquare,
  plug: Plug,
  question: MessageCircleQuestion,
  search: Search,
  terminal: SquareTerminal,
  user: CircleUser,
  users: Users,
  wrench: Wrench,
} as const satisfies Readonly<Record<string, LucideIcon>>;

const signs = new Map<string, Icon>();

/** @param name name of an icon, or one character: a letter or an emoji */
export function iconOf(name: string | undefined): Icon {
  if (name === undefined) return PanelsTopLeft;
  if (Object.hasOwn(icons, name)) return icons[name as keyof typeof icons];
  const known = signs.get(name) ?? signOf(name);
  signs.set(name, known);
  return known;
}

function signOf(sign: string): Icon {
  return ({ size = 17 }) => (
    <span className="sign" aria-hidden style={{ inlineSize: size }}>
      {sign}
    </span>
  );
}
