// Defines the type of an icon beside a name.
import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

export type Icon = LucideIcon | ComponentType<{ readonly size?: number; readonly 'aria-hidden'?: boolean }>;
