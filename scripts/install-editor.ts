/** Installs the editor in which the extension is tested, before the tests do. */

import { installEditor } from '../tests/vscode/install-editor.ts'

installEditor()
