// Renders the text of a row, as a link if it has a target: a chat, or the same view with other parameters.
import type { Block, View } from 'agent-harness/view';
import type { ReactNode } from 'react';
import { hashOf } from '../hooks.ts';
import { textsOf } from './field-values.ts';

type Opens = Block<'table'>['rows'][number]['opens'];

interface Props {
  readonly opens: Opens;
  /** Omitted outside a view. */
  readonly view: View | undefined;
  readonly children: ReactNode;
}

export function RowLink({ opens, view, children }: Props) {
  if (opens?.chat !== undefined) return <a href={hashOf({ page: 'chat', id: opens.chat })}>{children}</a>;
  if (!opens?.parameters || view?.name === undefined || !view.parameters) return children;
  const { input, values } = view.parameters;
  return <a href={hashOf({ page: 'view', id: view.name, query: textsOf(input, { ...values, ...opens.parameters }) })}>{children}</a>;
}
