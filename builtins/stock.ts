// The stock distribution: every built-in.
import type { Distribution } from './distribution.ts';

export const stock: Distribution = { name: 'app', title: 'Agent Harness' };
