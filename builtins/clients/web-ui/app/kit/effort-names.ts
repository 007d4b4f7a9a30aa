// Lists the names of the reasoning efforts in ascending order.
import type { ChatMeta } from 'agent-harness/client';
import { table } from './t.ts';

export type Effort = NonNullable<ChatMeta['effort']>;

export const effortNames: Readonly<Record<Effort, string>> = table({
  off: 'Off',
  low: 'Low##reasoning effort',
  medium: 'Medium##reasoning effort',
  high: 'High##reasoning effort',
  max: 'Maximum##reasoning effort',
});
