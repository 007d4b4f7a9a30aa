// The page: what it holds for all its parts, and who may see them.
import { Frame } from './shell/frame.tsx';
import { Gate } from './shell/gate.tsx';
import { Region } from './shell/region.tsx';
import { ShellProvider } from './shell/shell-provider.tsx';

/** `hasToken`: the page need not wait for the server to know that it is let in. */
export function App({ brand, hasToken }: { readonly brand: string; readonly hasToken: boolean }) {
  return (
    <Region name="The page">
      <ShellProvider brand={brand}>
        <Gate isKnown={hasToken}>
          <Frame />
        </Gate>
      </ShellProvider>
    </Region>
  );
}
