// The picture of a call, as the owner of its tool says.
import { createElement } from 'react';
import { iconOf } from '../../../kit/icons.tsx';

export function ToolIcon({ icon = 'wrench' }: { readonly icon: string | undefined }) {
  return <span className="tool-card-icon">{createElement(iconOf(icon), { size: 16, 'aria-hidden': true })}</span>;
}
