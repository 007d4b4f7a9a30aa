// Renders the current organisation, and the menu for switching to another one.
import { Check, ChevronsUpDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { tierTitles, useMembership } from '../base/me.ts';
import { call } from '../base/plane.ts';
import { useAct } from '#page/kit/page/use-act.ts';

export function OrgSwitch() {
  const { me, orgId, org } = useMembership();
  const { run } = useAct();
  if (me.organisations.length < 2)
    return (
      <span className="org-switch-name plain" title={org.name}>
        {org.name}
      </span>
    );
  const change = (next: string): void =>
    void run(async () => {
      await call('POST /api/orgs/:id/switch', { params: { id: next } });
      // Reloads the page, because all displayed data belongs to the previous organisation.
      location.assign('/');
    });
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="button bare org-switch" aria-label={`Organisation: ${org.name}. Choose another`}>
        <span className="org-switch-name">{org.name}</span>
        <ChevronsUpDown size={16} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu org-switch-menu" align="start" sideOffset={4} collisionPadding={8}>
          <DropdownMenu.RadioGroup value={orgId} onValueChange={(next) => next !== orgId && change(next)}>
            {me.organisations.map((one) => (
              <DropdownMenu.RadioItem key={one.id} className="menu-item" value={one.id}>
                <span className="menu-item-text">
                  {one.name} <span className="muted small">{tierTitles[one.tier]}</span>
                </span>
                <DropdownMenu.ItemIndicator>
                  <Check size={16} aria-hidden />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
