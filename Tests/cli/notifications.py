"""A notification server, and BlueZ with one pair of earphones, as a person's desktop has them; notes what is asked, a JSON line each.

Usage: notifications.py LOG     NotificationClosed, ActionInvoked and properties are told by busctl: Tell() of org.example.Test.
"""
import json
import sys

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NOTIFICATIONS, BLUEZ = "org.freedesktop.Notifications", "org.bluez"
DEVICE, BATTERY = "org.bluez.Device1", "org.bluez.Battery1"
PATH = "/org/bluez/hci0/dev_04_5D_4B_00_11_22"
log = open(sys.argv[1], "a", encoding="utf-8", buffering=1)


def note(**values):
    print(json.dumps(values), file=log)


class Server(dbus.service.Object):
    last = 0

    @dbus.service.method(NOTIFICATIONS, in_signature="", out_signature="as")
    def GetCapabilities(self):
        return ["body", "actions"]

    @dbus.service.method(NOTIFICATIONS, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, name, replaces, icon, summary, body, actions, hints, expiry):
        if not replaces:
            self.last += 1
        number = replaces or self.last
        note(call="notify", number=int(number), replaces=int(replaces), summary=summary, body=body, actions=list(actions),
             urgency=int(hints["urgency"]), expiry=int(expiry))
        return dbus.UInt32(number)

    @dbus.service.method(NOTIFICATIONS, in_signature="u", out_signature="")
    def CloseNotification(self, number):
        note(call="close", number=int(number))
        self.NotificationClosed(number, dbus.UInt32(3))

    @dbus.service.signal(NOTIFICATIONS, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.signal(NOTIFICATIONS, signature="us")
    def ActionInvoked(self, number, key):
        pass

    @dbus.service.method("org.example.Test", in_signature="us", out_signature="")
    def Press(self, number, key):
        self.ActionInvoked(number, key)


class BlueZ(dbus.service.Object):
    charge = 80

    @dbus.service.method("org.freedesktop.DBus.ObjectManager", in_signature="", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        device = {
            "Address": "04:5D:4B:00:11:22", "Alias": "Test Buds", "Modalias": "bluetooth:v004Cp200Ed0C20", "Connected": True,
            "Icon": "audio-headset", "UUIDs": dbus.Array(["0000110b-0000-1000-8000-00805f9b34fb"], "s")}
        return {dbus.ObjectPath(PATH): {DEVICE: device, BATTERY: {"Percentage": dbus.Byte(self.charge)}}}


class Device(dbus.service.Object):
    @dbus.service.signal("org.freedesktop.DBus.Properties", signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    @dbus.service.method("org.example.Test", in_signature="y", out_signature="")
    def Charge(self, charge):
        BlueZ.charge = charge
        self.PropertiesChanged(BATTERY, {"Percentage": dbus.Byte(charge)}, [])


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
names = [dbus.service.BusName(NOTIFICATIONS, bus), dbus.service.BusName(BLUEZ, bus)]
objects = [Server(bus, "/org/freedesktop/Notifications"), BlueZ(bus, "/"), Device(bus, PATH)]
note(call="ready")
GLib.MainLoop().run()
