// The picture of a call, as the owner of its tool says.
import { iconOf } from '../../../kit/icons.tsx';

export function ToolIcon({ icon = 'wrench' }: { readonly icon: string | undefined }) {
  const Icon = iconOf(icon);
  return (
    <span className="tool-card-icon">
      <Icon size={16} aria-hidden />
    </span>
  );
}
