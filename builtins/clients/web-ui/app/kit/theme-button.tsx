// Renders the button that switches between the light, dark and system themes.
import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { hostOnly } from './host-only.tsx';
import { useShell } from './shell-context.ts';
import { themes, type ThemeName } from './theme.ts';
import { t } from './t.ts';

const icons = { system: Monitor, light: Sun, dark: Moon };

export function ThemeButton() {
  const { theme, setTheme } = useShell();
  const Icon = icons[theme];
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger {...hostOnly} className="button bare icon" aria-label={t('Theme')} title={t('Theme')}>
        <Icon size={18} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content {...hostOnly} className="menu" align="start" side="top" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.RadioGroup value={theme} onValueChange={(name) => setTheme(name as ThemeName)}>
            {themes.map(({ name, label }) => {
              const ItemIcon = icons[name];
              return (
                <DropdownMenu.RadioItem key={name} className="menu-item" value={name}>
                  <ItemIcon size={16} aria-hidden />
                  <span className="menu-item-text">{label}</span>
                  <DropdownMenu.ItemIndicator>
                    <Check size={16} aria-hidden />
                  </DropdownMenu.ItemIndicator>
                </DropdownMenu.RadioItem>
              );
            })}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
