// The pictures that go by a name; whoever has a sign of its own is drawn with that.
import {
  BarChart3,
  Bell,
  Brain,
  Calendar,
  CircleUser,
  Cloud,
  Database,
  FileText,
  FolderOpen,
  Globe,
  ListTree,
  Mail,
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

/** Names that a plugin may give for its icon. */
const icons = {
  bell: Bell,
  brain: Brain,
  calendar: Calendar,
  chart: BarChart3,
  cloud: Cloud,
  database: Database,
  file: FileText,
  folder: FolderOpen,
  globe: Globe,
  list: ListTree,
  mail: Mail,
  message: MessageSquare,
  plug: Plug,
  search: Search,
  terminal: SquareTerminal,
  user: CircleUser,
  users: Users,
  wrench: Wrench,
} as const satisfies Readonly<Record<string, LucideIcon>>;

const signs = new Map<string, Icon>();

/** @param name of a picture, or one sign: a letter or an emoji */
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
