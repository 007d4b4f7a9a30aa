// Maps the choices of a theme for corners, spacing and fonts to CSS values.
import type { UiTheme } from '../theme-schema.ts';

type Values = Readonly<Record<string, string>>;

const corners: Readonly<Record<UiTheme['shape'], Values>> = {
  sharp: { radius: '3px', 'radius-small': '2px' },
  soft: { radius: '12px', 'radius-small': '8px' },
  round: { radius: '20px', 'radius-small': '14px' },
};

const room: Readonly<Record<UiTheme['density'], Values>> = {
  compact: { 'space-2': '6px', 'space-3': '9px', 'space-4': '12px', 'space-5': '18px', 'space-6': '24px', 'text-body': '0.875rem' },
  normal: { 'space-2': '8px', 'space-3': '12px', 'space-4': '16px', 'space-5': '24px', 'space-6': '32px', 'text-body': '0.9375rem' },
  airy: { 'space-2': '9px', 'space-3': '14px', 'space-4': '20px', 'space-5': '30px', 'space-6': '40px', 'text-body': '1rem' },
};

/** Every operating system has at least one font of each list; none is downloaded. */
const letters: Readonly<Record<UiTheme['font'], string>> = {
  sans: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
  humanist: "Seravek, 'Gill Sans Nova', 'Gill Sans', Optima, Candara, Ubuntu, 'Noto Sans', 'DejaVu Sans', sans-serif",
  rounded: "ui-rounded, 'SF Pro Rounded', 'Hiragino Maru Gothic ProN', Nunito, Quicksand, 'Arial Rounded MT Bold', Comfortaa, system-ui, sans-serif",
  serif: "ui-serif, 'Iowan Old Style', 'Palatino Linotype', 'URW Palladio L', Palatino, Georgia, 'Liberation Serif', serif",
  mono: "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'Liberation Mono', monospace",
};

export function measuresOf({ shape, density, font }: UiTheme): Values {
  return { ...corners[shape], ...room[density], font: letters[font] };
}
