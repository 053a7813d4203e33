"""Protects a workbook by LibreOffice, or unlocks one by msoffcrypto: ARGS are SOURCE TARGET PASSWORD.

protect-workbook.py protect ARGS SOFFICE, protect-workbook.py unlock ARGS
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import suppress
from pathlib import Path


def unlock(source, target, password):
    import msoffcrypto

    with open(source, "rb") as protected, open(target, "wb") as plain:
        file = msoffcrypto.OfficeFile(protected)
        if file.format == "xls97":
            file.load_key(password=password)
            file.decrypt(plain)
            return
        # It compares hashes of SHA-1 with their padding, and fails.
        verifies = file.type == "agile" and file.info["passwordHashAlgorithm"] != "SHA1"
        file.load_key(password=password, verify_password=verifies or file.type == "standard")
        file.decrypt(plain, verify_integrity=verifies)



def protect(source, target, password, program):
    import uno
    from com.sun.star.beans import NamedValue, PropertyValue
    from com.sun.star.connection import NoConnectException

    pipe = f"shelflift-{uuid.uuid4().hex}"
    with tempfile.TemporaryDirectory() as profile:
        office = subprocess.Popen([
            program,
            f"-env:UserInstallation=file://{profile}",
            "--headless",
            f"--accept=pipe,name={pipe};urp;",
        ], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            local = uno.getComponentContext()
            resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
            for _ in range(2000):
                try:
                    context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                    break
                except NoConnectException:
                    time.sleep(0.25)
            desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
            document = desktop.loadComponentFromURL(Path(source).as_uri(), "_blank", 0, (PropertyValue(Name="Hidden", Value=True),))
            # What its dialog for saving adds to the filter.
            newer = PropertyValue(Name="EncryptionData", Value=uno.Any("[]com.sun.star.beans.NamedValue", (
                NamedValue("CryptoType", "Standard"),
                NamedValue("OOXPassword", password),
            )))
            older = PropertyValue(Name="Password", Value=password)
            is_old = target.endswith(".xls")
            document.storeToURL(Path(target).as_uri(), (
                PropertyValue(Name="FilterName", Value="MS Excel 97" if is_old else "Calc MS Excel 2007 XML"),
                older if is_old else newer,
            ))
            document.close(True)
            with suppress(Exception):
                desktop.terminate()
            office.wait(300)
        finally:
            # Its program is a child of what was started.
            with suppress(ProcessLookupError):
                os.killpg(office.pid, signal.SIGKILL)


kind, *rest = sys.argv[1:]
(protect if kind == "protect" else unlock)(*rest)
